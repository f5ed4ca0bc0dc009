import type { SmtpSetting } from "../config/notification-settings.ts";
import { OutboundError } from "../outbound/address-rules.ts";
import type { OutboundAnswer, OutboundClient } from "../outbound/outbound-client.ts";
import type { AttemptOutcome } from "../outbox/outbox.ts";
import { type PostOptions, postSigned } from "../outbox/post-signed.ts";
import { missingSecret, openTargetSecret, type TargetSecretDeps } from "../outbox/target.ts";
import { type Sent, tryToSend, UndeliverableError } from "../outbox/try-to-send.ts";
import { readOutside } from "../secrets/outside.ts";
import type { NotificationContent } from "./content.ts";
import type { Notification } from "./notification.ts";
import { MailError, sendMail } from "./send-mail.ts";
import type { Target } from "./target.ts";

export interface AttemptDeps extends TargetSecretDeps {
  client: OutboundClient;
  smtp: SmtpSetting | undefined;
  now(): Date;
}

/** Tries to send a notification once. It does not throw: what goes wrong is an outcome. */
export function attempt(
  target: Target,
  notification: Notification,
  failures: number,
  deps: AttemptDeps,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { fingerprint } = target;
  const { now } = deps;
  return tryToSend(() => send(target, notification, deps, signal), {
    message: notification,
    ...{ fingerprint, failures, now },
  });
}

/** @throws OutboundError, UndeliverableError */
async function send(
  target: Target,
  notification: Notification,
  deps: AttemptDeps,
  signal: AbortSignal,
): Promise<Sent> {
  if (target.kind === "email") return mail(target, notification, deps);
  const secret = await openTargetSecret(target.secret, deps);
  if (target.secret && secret === undefined) throw missingSecret(target.secret);
  const url = target.url ?? secret ?? "";
  const signing = target.url === undefined ? undefined : secret;
  const post = target.kind === "slack" ? sendSlack : sendWebhook;
  const { client, now } = deps;
  return post(notification, { url, secret: signing, client, now: now(), signal });
}

async function mail(target: Target, notification: Notification, { smtp, env }: AttemptDeps): Promise<Sent> {
  if (!smtp) throw new OutboundError("smtp is not configured");
  const password = smtp.password && (await readOutside(smtp.password, env));
  if (smtp.password && password === undefined) throw new OutboundError("the password of smtp is missing");
  try {
    return { note: await sendMail({ smtp, password, to: target.to, notification }) };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    throw error.isPermanent ? new UndeliverableError(error.message) : new OutboundError(error.message);
  }
}

/** Posts a notification to an incoming webhook of Slack, or of what takes the same form. */
function sendSlack(
  { id, content }: Pick<Notification, "id" | "content">,
  options: Omit<PostOptions, "id">,
): Promise<OutboundAnswer> {
  const text = slackText(content);
  return postSigned(JSON.stringify({ text, unfurl_links: false, unfurl_media: false }), { ...options, id });
}

/**
 * A notification in the markup of Slack. Texts of others stand in code, where neither Slack nor what is compatible with
 * it finds links, mentions or formatting.
 */
export function slackText({ summary, url, run, detail, revision }: NotificationContent): string {
  return [
    `*${plain(summary)}*`,
    ...(run ? [code(run.title)] : []),
    ...(revision === undefined ? [] : [`Revision ${code(revision)}`]),
    ...(detail === undefined ? [] : [block(detail)]),
    `<${escaped(url)}|Open in millrace>`,
  ].join("\n");
}

/** https://api.slack.com/reference/surfaces/formatting#escaping */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Names of a definition, without what begins formatting or a mention. */
function plain(text: string): string {
  return escaped(text.replace(/[*_~`@[\]]/g, (character) => (character === "_" ? "_\u200b" : " ")));
}

function code(text: string): string {
  return text === "" ? "" : `\`${escaped(withoutBackticks(text))}\``;
}

function block(text: string): string {
  return `\`\`\`\n${escaped(withoutBackticks(text))}\n\`\`\``;
}

/** They would end the code. */
function withoutBackticks(text: string): string {
  return text.replaceAll("`", "'");
}

/** Posts a notification as JSON, signed as Standard Webhooks has it. */
function sendWebhook(
  { id, event, content }: Pick<Notification, "id" | "event" | "content">,
  options: Omit<PostOptions, "id">,
): Promise<OutboundAnswer> {
  const { event: _, at, ...data } = content;
  return postSigned(JSON.stringify({ type: event, timestamp: at, id, data }), { ...options, id });
}
