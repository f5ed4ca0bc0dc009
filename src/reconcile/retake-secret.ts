import { webhookSecret } from "../secrets/webhook-secret.ts";
import { credentialContext } from "./active-definition.ts";
import type { WebhookCredential } from "./factory.ts";
import type { Moved } from "./outcome.ts";
import type { Factory } from "./running-factory.ts";
import type { ReconcileDeps } from "./subject.ts";

/**
 * Gives the webhooks of a factory that go by a secret the value that it has now, and leaves all else of the definition in
 * force as it is. It works while the factory is suspended, too: what has leaked must not open anything.
 * @returns "moved" when something else has come into force meanwhile, so that nothing was changed
 */
export async function retakeSecret(
  name: string,
  { record, active }: Pick<Factory, "record" | "active">,
  { store, vault, sealer, now }: Pick<ReconcileDeps, "store" | "vault" | "sealer" | "now">,
): Promise<"retaken" | Moved> {
  const value = (await vault.open([name], { webhooksOf: record.uid })).get(name);
  if (value === undefined) throw new Error(`the factory may not use any value of ${name}`);
  if (!active) return "retaken";
  const sharing = active.webhooks.filter(({ webhook }) => webhook.secretName === name);
  const credentials = sharing.map(({ uid }): WebhookCredential => {
    const sealed = sealer.seal(webhookSecret(value), credentialContext(uid));
    return { webhookUid: uid, secretName: name, sealed };
  });
  const at = now().toISOString();
  return store.retakeCredentials(record.uid, { credentials, expects: active.generation, at });
}
