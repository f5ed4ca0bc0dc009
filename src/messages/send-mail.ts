import type { SmtpSetting } from "../config/notification-settings.ts";
import { smtpPortOf, smtpTlsOf } from "../config/notification-settings.ts";
import type { Notification, NotificationContent } from "./outbox.ts";

export interface MailOptions {
  smtp: SmtpSetting;
  password: string | undefined;
  to: readonly string[];
  notification: Pick<Notification, "id" | "content">;
}

/** What a mail server has said of a message that it did not take. */
export class MailError extends Error {
  override name = "MailError";
  /** Whether it is of no use to try again (RFC 5321, 4.2.1). */
  readonly isPermanent: boolean;
  constructor(message: string, isPermanent: boolean) {
    super(message);
    this.isPermanent = isPermanent;
  }
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/**
 * Hands a mail to the server that the settings name.
 * @returns what is to be noted though it was taken
 * @throws MailError when it was not taken
 */
export async function sendMail({ smtp, password, to, notification }: MailOptions): Promise<string | null> {
  const { createTransport } = await import("nodemailer");
  const tls = smtpTlsOf(smtp);
  const transport = createTransport({
    host: smtp.host,
    port: smtpPortOf(smtp),
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...(smtp.user === undefined ? {} : { auth: { user: smtp.user, pass: password ?? "" } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { rejected } = await transport.sendMail({
      from: smtp.from,
      to: [...to],
      subject: subjectOf(notification.content),
      text: mailText(notification.content),
      messageId: `<${notification.id}@${smtp.from.split("@")[1]}>`,
      // Nobody's absence note is an answer to it (RFC 3834).
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return rejected.length === 0 ? null : `${rejected.length} of ${to.length} recipients were rejected`;
  } catch (error) {
    throw asMailError(error as Error & { responseCode?: number; code?: string });
  } finally {
    transport.close();
  }
}

function subjectOf({ summary }: NotificationContent): string {
  return `[millrace] ${summary}`;
}

/** Plain text: nothing in it is markup. */
export function mailText({ summary, url, factory, run, revision, detail }: NotificationContent): string {
  const facts = [
    ...(run ? [`Run: ${run.title}`] : []),
    ...(run?.agent ? [`Agent: ${run.agent}`] : []),
    ...(run?.automation ? [`Automation: ${run.automation}`] : []),
    ...(factory ? [`Factory: ${factory.name}`] : []),
    ...(revision === undefined ? [] : [`Revision: ${revision}`]),
  ];
  const said = detail === undefined ? [] : ["", ...detail.split("\n").map((each) => `> ${each}`)];
  return [summary, "", ...facts, ...said, "", url, ""].join("\n");
}

/** What a server answers may quote what it was sent: only its code is passed on. */
function asMailError({ responseCode, code }: { responseCode?: number; code?: string }): MailError {
  if (responseCode === undefined)
    return new MailError(`the mail server could not be used (${code ?? "error"})`, false);
  // Credentials and the server's own trouble are mended; a message that it does not take stays that.
  const isPermanent = responseCode >= 550 && responseCode < 560;
  return new MailError(`the mail server answered ${responseCode}${code ? ` (${code})` : ""}`, isPermanent);
}
