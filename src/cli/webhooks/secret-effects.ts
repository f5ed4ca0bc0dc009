import type { Millrace, Models } from "../../client/client.ts";
import { inShell } from "../../errors/in-shell.ts";

/**
 * What the new value of a secret means for those that use it, in sentences: which webhooks go on with the old value until
 * when, and which factories try again what they could not apply.
 * @param waitedBefore the factories that were without it before it was set: they may have it in force by now
 */
export async function whatFollows(
  client: Millrace,
  secretName: string,
  waitedBefore: ReadonlySet<string>,
): Promise<string[]> {
  const factories = await client.factories.list({ limit: 500 }).toArray();
  const lines = await Promise.all(
    factories.map((factory) => linesOf(client, factory, secretName, waitedBefore)),
  );
  return lines.flat();
}

/** The uids of the factories whose last attempt failed for want of a secret. */
export async function factoriesWithout(client: Millrace, secretName: string): Promise<Set<string>> {
  const factories = await client.factories.list({ limit: 500 }).toArray();
  return new Set(factories.filter(({ sync }) => lacks(sync, secretName)).map(({ uid }) => uid));
}

function lacks({ status, problems }: Models["Factory"]["sync"], secretName: string): boolean {
  return status === "failed" && problems.some(({ message }) => message.includes(`"${secretName}"`));
}

async function linesOf(
  client: Millrace,
  { uid, name, mode, sync }: Models["Factory"],
  secretName: string,
  waitedBefore: ReadonlySet<string>,
): Promise<string[]> {
  // By its uid: a factory that is applied for the first time in the meantime gets another name.
  const webhooks = await client.webhooks.list(uid, { limit: 500 }).toArray();
  const waiting = webhooks.filter(
    (webhook) => webhook.secret_name === secretName && webhook.has_newer_secret,
  );
  const lines = waiting.length === 0 ? [] : [`${name}: ${waits(waiting, mode, name)}`];
  if (sync.status === "suspended") return lines;
  if (waitedBefore.has(uid) || lacks(sync, secretName)) {
    // The first definition that is applied may name the factory otherwise.
    const lasting = sync.applied_revision === null ? uid : name;
    lines.push(
      `${name}: the revision that could not be applied without the secret is being retried. Run \`millrace status ${inShell(lasting)}\` for the result.`,
    );
  }
  return lines;
}

function waits(webhooks: readonly Models["Webhook"][], mode: Models["Factory"]["mode"], factory: string) {
  const names = webhooks.map(({ name }) => name).join(", ");
  const [take, webhook] = webhooks.length === 1 ? ["uses", "webhook"] : ["use", "webhooks"];
  return `${webhook} ${names} ${take} the new value ${WHEN_TAKEN[mode](factory)}, and the previous value until then.`;
}

const WHEN_TAKEN: Record<Models["Factory"]["mode"], (factory: string) => string> = {
  repository: () => "after the next commit on the production branch (an empty commit is enough)",
  folder: (factory) => `after \`millrace sync ${factory}\``,
  managed: () => "after the next change of the definition",
};
