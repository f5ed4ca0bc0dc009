import type { ActiveWebhook } from "./active-definition.ts";
import type { Moved } from "./outcome.ts";
import type { Factory } from "./running-factory.ts";
import type { ReconcileDeps } from "./subject.ts";
import { sealCredential } from "./webhook-credentials.ts";

/** A secret with a new value. */
export interface RetakenSecret {
  name: string;
  /** Until when the value that it had is still accepted. */
  overlapUntil: string | undefined;
}

/**
 * Gives the webhooks of a factory that go by a secret the value that it has now, and leaves all else of the definition in
 * force as it is. It works while the factory is suspended, too: what has leaked must not open anything.
 * @returns "moved" when something else has come into force meanwhile, so that nothing was changed
 */
export async function retakeSecret(
  { name, overlapUntil }: RetakenSecret,
  { record, active }: Pick<Factory, "record" | "active">,
  { store, vault, sealer, now }: Pick<ReconcileDeps, "store" | "vault" | "sealer" | "now">,
): Promise<"retaken" | Moved> {
  const value = (await vault.open([name], { webhooksOf: record.uid })).get(name);
  if (value === undefined) throw new Error(`the factory may not use any value of ${name}`);
  if (!active) return "retaken";
  const sharing = active.webhooks.filter(({ webhook }) => webhook.secretName === name);
  const secrets = new Map([[name, value], ...takenPrevious(sharing)]);
  const credentials = sharing.flatMap(
    ({ uid, webhook }) => sealCredential(webhook, uid, { secrets, active, overlapUntil, sealer }) ?? [],
  );
  const at = now().toISOString();
  return store.retakeCredentials(record.uid, { credentials, expects: active.generation, at });
}

/** Previous secrets that files name stay as they were taken. */
function takenPrevious(webhooks: readonly ActiveWebhook[]): [string, string][] {
  return webhooks.flatMap(({ webhook, previous }) =>
    webhook.previous && previous ? [[webhook.previous.secretName, previous.secret]] : [],
  );
}
