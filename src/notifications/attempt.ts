import type { SmtpSetting } from "../config/notification-settings.ts";
import type { OutboundAnswer, OutboundClient } from "../outbound/outbound-client.ts";
import { OutboundError } from "../outbound/outbound-error.ts";
import { retryAfterMs } from "../outbound/retry-after.ts";
import { readOutside } from "../secrets/outside.ts";
import type { Vault } from "../secrets/vault.ts";
import { DAY_MS, HOUR_MS } from "../time/duration.ts";
import type { AttemptOutcome, Notification } from "./notification.ts";
import { MailError, sendMail } from "./send-mail.ts";
import { sendSlack } from "./send-slack.ts";
import { sendWebhook } from "./send-webhook.ts";
import type { Target } from "./target.ts";

export interface AttemptDeps {
  client: OutboundClient;
  smtp: SmtpSetting | undefined;
  vault: Pick<Vault, "open">;
  env: Record<string, string | undefined>;
  now(): Date;
}

/** How long after its making a notification is still tried. */
export const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = HOUR_MS;
/** A receiver may not have its notifications wait longer than this. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/** Tries to send a notification once. It does not throw: what goes wrong is an outcome. */
export async function attempt(
  target: Target,
  notification: Notification,
  deps: AttemptDeps,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { attempts } = notification;
  const retry = (error: string, rests: boolean, afterMs?: number): AttemptOutcome => {
    const now = deps.now().getTime();
    if (now - Date.parse(notification.createdAt) > GIVEN_UP_AFTER_MS)
      return { state: "failed", error: `given up after 3 days: ${error}` };
    const delay = Math.min(afterMs ?? delayAfter(attempts + 1), MAX_RETRY_AFTER_MS);
    return { state: "waiting", error, rests, nextAttemptAt: new Date(now + delay).toISOString() };
  };
  try {
    if (target.kind === "email") {
      if (!deps.smtp) return retry("smtp is not configured", true);
      const password = deps.smtp.password && (await readOutside(deps.smtp.password, deps.env));
      if (deps.smtp.password && password === undefined) return retry("the password of smtp is missing", true);
      return {
        state: "sent",
        note: await sendMail({ smtp: deps.smtp, password, to: target.to, notification }),
      };
    }
    const secret = await secretOf(target, deps);
    if (target.secret && secret === undefined) return retry("the secret of the target is missing", true);
    const url = target.url ?? secret ?? "";
    const signing = target.url === undefined ? undefined : secret;
    const send = target.kind === "slack" ? sendSlack : sendWebhook;
    const { client, now } = deps;
    return judge(await send({ url, secret: signing, notification, client, now: now(), signal }));
  } catch (error) {
    if (error instanceof MailError)
      return error.isPermanent ? { state: "failed", error: error.message } : retry(error.message, true);
    if (error instanceof OutboundError) return retry(error.message, true);
    // A secret that cannot be read, above all: its own words may quote a path.
    return retry("the notification could not be made; check the target's secret", true);
  }

  function judge({ status, retryAfter }: OutboundAnswer): AttemptOutcome {
    if (status >= 200 && status < 300) return { state: "sent", note: null };
    if (status === 410)
      return { state: "failed", error: "the receiver answered 410 Gone", gone: target.fingerprint };
    const isRedirect = status >= 300 && status < 400;
    const error = `the receiver answered ${status}${isRedirect ? "; redirects are not followed" : ""}`;
    const isBusy = status === 429 || status === 503;
    const wait = isBusy ? retryAfterMs(retryAfter, deps.now()) : undefined;
    // One that a receiver does not take says nothing of the next one.
    return retry(error, isBusy || status >= 500, wait);
  }
}

async function secretOf({ secret }: Target, { vault, env }: AttemptDeps): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  if (!("secretName" in secret)) return (await readOutside(secret, env))?.trim();
  const { secretName, factoryUid } = secret;
  return (await vault.open([secretName], { agentsOf: factoryUid })).get(secretName)?.trim();
}

/** Twice as long after each failure; what failed together does not come back together. */
function delayAfter(failures: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 20), MAX_DELAY_MS);
  return delay * (0.8 + 0.4 * Math.random());
}
