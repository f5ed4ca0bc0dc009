import { Webhook } from "standardwebhooks";
import { waitAfter } from "../concurrency/rounds.ts";
import type { SmtpSetting } from "../config/notification-settings.ts";
import { OutboundError } from "../outbound/address-rules.ts";
import { type OutboundAnswer, type OutboundClient, retryAfterMs } from "../outbound/outbound-client.ts";
import { readOutside } from "../secrets/outside.ts";
import { DAY_MS, HOUR_MS } from "../time/duration.ts";
import type { AttemptOutcome, EventBody, Message, Notification, NotificationContent } from "./outbox.ts";
import { MailError, sendMail } from "./send-mail.ts";
import { openTargetSecret, type Target, type TargetSecretDeps } from "./target.ts";

/** A message that its receiver will never take. Its text is shown, so it names no secret. */
class UndeliverableError extends Error {
  override name = "UndeliverableError";
}

/** That a message was handed over, and what is to be noted of it; or the answer of a receiver, which is judged. */
type Sent = { note: string | null } | OutboundAnswer;

export interface TryOptions {
  message: Pick<Message<string, unknown>, "attempts" | "createdAt" | "requestedAt">;
  fingerprint: string;
  /** How many attempts to reach the target have failed in a row. */
  failures: number;
  now(): Date;
}

/** How long after its making, or after somebody asked for it again, a message is still tried. */
export const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
export const GIVEN_UP = "given up after 3 days";
/** Of a secret that cannot be read, above all: its own words may quote a path. */
export const UNREADABLE_SECRET = "the request could not be made; check the target's secret";
/** After so many failures in a row, everything for a target waits, whatever the receiver answers: its circuit is open. */
export const MAX_FAILURES_IN_A_ROW = 5;
const RETRY = { firstMs: 2_000, mostMs: HOUR_MS, spread: 0.2 };
/** A receiver may not have its messages wait longer than this. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/** Tries to send a message once. It does not throw: what goes wrong is an outcome. */
export async function tryToSend(
  send: () => Promise<Sent>,
  { message, fingerprint, failures, now }: TryOptions,
): Promise<AttemptOutcome> {
  const started = now();
  const failed = (error: string, rests: boolean, afterMs?: number): AttemptOutcome => {
    const at = now().getTime();
    // A receiver that says when to come back may be asked sooner than others, and not without a pause.
    const delay =
      afterMs === undefined
        ? waitAfter(Math.max(message.attempts, failures) + 1, RETRY)
        : Math.max(afterMs, waitAfter(1, RETRY));
    const nextAttemptAt = new Date(at + Math.min(delay, MAX_RETRY_AFTER_MS)).toISOString();
    const isOpen = rests || failures + 1 >= MAX_FAILURES_IN_A_ROW;
    const ofTarget = { restsUntil: isOpen ? nextAttemptAt : null, fingerprint };
    const since = Date.parse(message.requestedAt ?? message.createdAt);
    if (at - since > GIVEN_UP_AFTER_MS)
      return { state: "failed", error: `${GIVEN_UP}: ${error}`, ...ofTarget };
    return { state: "waiting", error, nextAttemptAt, ...ofTarget };
  };
  try {
    const sent = await send();
    if ("note" in sent) return { state: "sent", note: sent.note };
    const { status, body = "" } = sent;
    const at = now();
    const response = {
      status,
      body,
      at: at.toISOString(),
      ms: Math.max(0, at.getTime() - started.getTime()),
    };
    return { ...judge(sent), response };
  } catch (error) {
    if (error instanceof UndeliverableError) return { state: "failed", error: error.message };
    if (error instanceof OutboundError) return failed(error.message, true);
    return failed(UNREADABLE_SECRET, true);
  }

  function judge({ status, retryAfter }: OutboundAnswer): AttemptOutcome {
    if (status >= 200 && status < 300) return { state: "sent", note: null };
    if (status === 410)
      return { state: "failed", error: "the receiver answered 410 Gone", gone: fingerprint };
    const isRedirect = status >= 300 && status < 400;
    const error = `the receiver answered ${status}${isRedirect ? "; redirects are not followed" : ""}`;
    const isBusy = status === 429 || status === 503;
    const wait = isBusy ? retryAfterMs(retryAfter, now()) : undefined;
    // One that a receiver does not take says nothing of the next one.
    return failed(error, isBusy || status >= 500, wait);
  }
}

interface PostOptions {
  url: string;
  /** What the request is signed with. */
  secret: string | undefined;
  /** The id of the message in its outbox. */
  id: string;
  client: OutboundClient;
  now: Date;
  signal: AbortSignal;
  /** How many bytes of the answer are kept. */
  keepAnswer?: number;
}

/** Node skips what is not of an encoding, so a text counts only when it is so from its first to its last character. */
const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;
const PREFIX = "whsec_";
const USER_AGENT = "millrace";

/**
 * Posts JSON, signed as Standard Webhooks has it where there is a secret.
 * @throws OutboundError when there is no answer, or the secret cannot sign
 */
export function postSigned(
  body: string,
  { url, secret, id, client, now, signal, keepAnswer }: PostOptions,
): Promise<OutboundAnswer> {
  const sentId = messageId(id);
  const signature =
    secret === undefined
      ? {}
      : {
          "webhook-id": sentId,
          "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
          "webhook-signature": new Webhook(signingKey(secret), { format: "raw" }).sign(sentId, now, body),
        };
  const headers = { "content-type": "application/json", "user-agent": USER_AGENT, ...signature };
  return client({ url, headers, body, signal, ...(keepAnswer === undefined ? {} : { keepAnswer }) });
}

/** What a receiver tells repetitions by: the same for every attempt. */
export function messageId(id: string): string {
  return `msg_${id}`;
}

/** As the library of a receiver reads the same text: base64, with or without its prefix. Any other text is the key itself. */
function signingKey(secret: string): Uint8Array {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (BASE64.test(text)) return Buffer.from(text, "base64");
  if (secret.startsWith(PREFIX)) throw new OutboundError("the signing secret is not base64 after whsec_");
  return Buffer.from(secret);
}

export interface AttemptDeps extends TargetSecretDeps {
  client: OutboundClient;
  /** Of notifications: what mail is handed to. */
  smtp?: SmtpSetting | undefined;
  now(): Date;
}

export type SentContent = NotificationContent | EventBody;

const MAX_KEPT_ANSWER_BYTES = 1_024;

/** Tries to send a message once, by the kind of its target. It does not throw: what goes wrong is an outcome. */
export function attempt(
  target: Target,
  message: Message<string, SentContent>,
  failures: number,
  deps: AttemptDeps,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { fingerprint } = target;
  const { now } = deps;
  return tryToSend(() => send(target, message, deps, signal), {
    message,
    fingerprint,
    failures,
    now,
  });
}

/** @throws OutboundError, UndeliverableError */
async function send(
  target: Target,
  message: Message<string, SentContent>,
  deps: AttemptDeps,
  signal: AbortSignal,
): Promise<Sent> {
  const { id, event, content } = message;
  const { client, now } = deps;
  const isNotification = "summary" in content;
  if (isNotification && target.kind === "email") return mail(target, { id, event, content }, deps);
  const secret = await openTargetSecret(target.secret, deps);
  const url = target.url ?? secret ?? "";
  const signing = target.url === undefined ? undefined : secret;
  const body = isNotification ? notificationBody(target.kind, { id, event, content }) : content;
  return postSigned(JSON.stringify(body), {
    url,
    secret: signing,
    id,
    client,
    now: now(),
    signal,
    ...(isNotification ? {} : { keepAnswer: MAX_KEPT_ANSWER_BYTES }),
  });
}

type SentNotification = Pick<Notification, "id" | "content"> & { event: string };

function notificationBody(kind: Target["kind"], { id, event, content }: SentNotification): object {
  if (kind === "slack") return { text: slackText(content), unfurl_links: false, unfurl_media: false };
  const { event: _, at, ...data } = content;
  return { type: event, timestamp: at, id, data };
}

async function mail(
  target: Target,
  notification: SentNotification,
  { smtp, env }: AttemptDeps,
): Promise<Sent> {
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
