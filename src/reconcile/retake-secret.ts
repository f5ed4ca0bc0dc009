import { inShell } from "../in-shell.ts";
import { webhookSecret } from "../secrets/webhook-secret.ts";
import type { Factory } from "./factories.ts";
import type { WebhookCredential } from "./factory.ts";
import { credentialContext } from "./served.ts";
import type { ReconcileParts } from "./subject.ts";

/** A webhook of another factory that goes by the same secret. */
export interface SharingWebhook {
  /** The name of its factory. */
  factory: string;
  webhook: string;
}

/** One that still goes by the old value. */
export interface LeftWebhook extends SharingWebhook {
  /** Why, and with what it takes the new one. */
  reason: string;
}

/** What became of a secret's new value in the other factories that use it. */
export interface Retaken {
  taken: SharingWebhook[];
  left: LeftWebhook[];
}

/**
 * Gives the webhooks of a factory that go by a secret the value that it has now, and leaves all else of the definition in
 * force as it is. It works while the factory is suspended, too: what has leaked must not open anything.
 */
export async function retakeSecret(
  name: string,
  { record, served }: Pick<Factory, "record" | "served">,
  { store, vault, sealer, now }: Pick<ReconcileParts, "store" | "vault" | "sealer" | "now">,
): Promise<void> {
  const value = (await vault.open([name], { webhooksOf: record.uid })).get(name);
  if (value === undefined) throw new Error(`there is no value of ${name} that the factory may use`);
  const sharing = served?.webhooks.filter(({ webhook }) => webhook.secretName === name) ?? [];
  const credentials = sharing.map(({ uid }): WebhookCredential => {
    const sealed = sealer.seal(webhookSecret(value), credentialContext(uid));
    return { webhookUid: uid, secretName: name, sealed };
  });
  await store.retakeCredentials(record.uid, credentials, now().toISOString());
}

/** The webhooks in force of a factory that go by a secret. */
export function webhooksWith(secret: string, { record, served }: Pick<Factory, "record" | "served">) {
  const webhooks = served?.definition.webhooks.filter(({ secretName }) => secretName === secret) ?? [];
  return webhooks.map(({ name }): SharingWebhook => ({ factory: record.name, webhook: name }));
}

/** Why a rotation does not reach a factory that millrace only reads; nothing for one that it keeps. */
export function outOfReach({ record: { name, mode, source } }: Pick<Factory, "record">): string | undefined {
  if (mode === "managed") return undefined;
  return "url" in source
    ? `its definition is in ${source.url}: it takes the new value with the next commit on the branch ${source.branch}, for which an empty one will do`
    : `its definition is in a folder: it takes the new value with \`millrace sync ${inShell(name)}\``;
}
