import type { Millrace, Models } from "../client/client.ts";
import { inShell } from "../in-shell.ts";

/**
 * What the new value of a secret means for those that use it, in sentences: which webhooks go on with the old value until
 * when, and which factories try again what they could not apply.
 */
export async function whatFollows(client: Millrace, secretName: string): Promise<string[]> {
  const factories = await client.factories.list({ limit: 500 }).toArray();
  const lines = await Promise.all(factories.map((factory) => linesOf(client, factory, secretName)));
  return lines.flat();
}

async function linesOf(
  client: Millrace,
  { uid, name, mode, sync }: Models["Factory"],
  secretName: string,
): Promise<string[]> {
  // By its uid: a factory that is applied for the first time meanwhile gets another name.
  const webhooks = await client.webhooks.list(uid, { limit: 500 }).toArray();
  const waiting = webhooks.filter(
    (webhook) => webhook.secret_name === secretName && webhook.has_newer_secret,
  );
  const lines = waiting.length === 0 ? [] : [`${name}: ${waits(waiting, mode, name)}`];
  if (sync.status === "suspended") return lines;
  const missed = sync.problems.some(({ message }) => message.includes(`"${secretName}"`));
  if (sync.status === "failed" && missed) {
    lines.push(
      `${name}: what could not be applied without it is tried again now: \`millrace status ${inShell(name)}\`.`,
    );
  }
  return lines;
}

function waits(webhooks: readonly Models["Webhook"][], mode: Models["Factory"]["mode"], factory: string) {
  const names = webhooks.map(({ name }) => name).join(", ");
  const [take, webhook] = webhooks.length === 1 ? ["takes", "the webhook"] : ["take", "the webhooks"];
  return `${webhook} ${names} ${take} it ${WHEN_TAKEN[mode](factory)}; until then, the value of before counts.`;
}

const WHEN_TAKEN: Record<Models["Factory"]["mode"], (factory: string) => string> = {
  repository: () => "with the next commit on the production branch, for which an empty one will do",
  folder: (factory) => `with \`millrace sync ${factory}\``,
  managed: () => "with the next change of the definition",
};
