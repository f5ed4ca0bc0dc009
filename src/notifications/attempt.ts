import type { SmtpSetting } from "../config/notification-settings.ts";
import { OutboundError } from "../outbound/address-rules.ts";
import type { OutboundClient } from "../outbound/outbound-client.ts";
import type { AttemptOutcome } from "../outbox/outbox.ts";
import { missingSecret, openTargetSecret, type TargetSecretDeps } from "../outbox/target.ts";
import { type Sent, tryToSend, UndeliverableError } from "../outbox/try-to-send.ts";
import { readOutside } from "../secrets/outside.ts";
import type { Notification } from "./notification.ts";
import { MailError, sendMail } from "./send-mail.ts";
import { sendSlack } from "./send-slack.ts";
import { sendWebhook } from "./send-webhook.ts";
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
