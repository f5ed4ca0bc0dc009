import type { Moved } from "./outcome.ts";
import type { Factory } from "./running-factory.ts";
import type { ReconcileDeps } from "./subject.ts";
import { goesBy, type SecretRotation, sealCredential, takenCredentials } from "./webhook-credentials.ts";

/**
 * Gives the webhooks of a factory that go by a secret the value that it has now, and leaves all else of the definition in
 * force as it is. It works while the factory is suspended, too: what has leaked must not open anything.
 * @returns "moved" when something else has come into force meanwhile, so that nothing was changed
 */
export async function retakeSecret(
  rotation: SecretRotation,
  { record, active }: Pick<Factory, "record" | "active">,
  { store, vault, sealer, now }: Pick<ReconcileDeps, "store" | "vault" | "sealer" | "now">,
): Promise<"retaken" | Moved> {
  const { name } = rotation;
  const value = (await vault.open([name], { webhooksOf: record.uid })).get(name);
  if (value === undefined) throw new Error(`the factory may not use any value of ${name}`);
  if (!active) return "retaken";
  const sharing = active.webhooks.filter(({ webhook }) => goesBy(webhook, name));
  const secrets = new Map([...takenCredentials(active), [name, value]]);
  const deps = { secrets, active, rotation, sealer, now: now() };
  const credentials = sharing.flatMap(({ uid, webhook }) => sealCredential(webhook, uid, deps) ?? []);
  const at = now().toISOString();
  return store.retakeCredentials(record.uid, { credentials, expects: active.generation, at });
}
