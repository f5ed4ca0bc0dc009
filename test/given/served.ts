import { planChanges, resourcesAfter } from "../../src/definitions/changes/plan.ts";
import { activeDefinition, credentialContext } from "../../src/reconcile/active-definition.ts";
import type { SyncStatus } from "../../src/reconcile/factory.ts";
import type { Factory } from "../../src/reconcile/running-factory.ts";
import { createSealer, KEY_BYTES } from "../../src/secrets/seal.ts";
import { load } from "./definition.ts";
import type { Files } from "./folder.ts";

export interface ServedOptions {
  /** When the definition came into force; what it does not change stays as it was. */
  at: string;
  before?: Factory;
  status?: SyncStatus;
  uid?: string;
}

/** A factory with the definition of these files in force, as reconciling leaves it. Uids are made of names. */
export async function aFactory(
  files: Files,
  { at, before, status = "synced", uid = "f" }: ServedOptions,
): Promise<Factory> {
  const { definition, problems } = await load(files);
  if (!definition) throw new Error(`the definition is not valid: ${problems[0]?.message}`);
  const stored = before?.active?.resources ?? [];
  const { changes } = planChanges(stored, definition);
  const uids = Object.fromEntries(
    changes.map(({ kind, name }) => [`${kind}/${name}`, `${uid}-${kind}-${name}`]),
  );
  const resources = resourcesAfter(stored, changes, uids, at);
  const sealer = createSealer(Buffer.alloc(KEY_BYTES));
  const credentials = definition.webhooks.map(({ name, secretName }) => {
    const webhookUid = `${uid}-webhook-${name}`;
    return { webhookUid, secretName, sealed: sealer.seal("secret", credentialContext(webhookUid)) };
  });
  return {
    record: {
      uid,
      sourceKey: uid,
      name: definition.factory.name,
      mode: "folder",
      source: { path: uid },
      sync: {
        status,
        attemptedRevision: "r",
        attemptedAt: at,
        appliedRevision: "r",
        appliedAt: at,
        problems: [],
      },
      createdAt: at,
      generation: 0,
    },
    active: activeDefinition(definition, { generation: 0, resources, credentials }, sealer),
    wasAttempted: true,
    wasRead: true,
    sourceName: definition.factory.name,
    sourceSecrets: [],
    hookSecret: async () => undefined,
  };
}
