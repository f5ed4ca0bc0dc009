import {
  type DefinitionChange,
  type EffectiveChange,
  isEffective,
  type StoredResource,
} from "../definitions/changes/plan.ts";
import type { Definition } from "../definitions/definition.ts";
import { newUid } from "../id.ts";
import type { StoredDefinition, WebhookCredential } from "./factory.ts";
import { type CredentialDeps, sealCredential } from "./webhook-credentials.ts";

/** A valid tree with what it changes, before anything is known of the server. */
export interface Draft {
  definition: Definition;
  /** The generation of the factory that it is held against. */
  generation: number;
  stored: readonly StoredResource[];
  /** The changes of the plan that change something. */
  changes: EffectiveChange[];
  /** Uids for those changes that create something that never had one, by `kind/name`. */
  newUids: Record<string, string>;
  uidOfWebhook(name: string): string;
}

/** A valid tree with everything that applying it needs. */
export interface Candidate extends Draft {
  credentials: WebhookCredential[];
}

export function draftOf(
  definition: Definition,
  { generation, resources: stored }: Pick<StoredDefinition, "generation" | "resources">,
  planned: readonly DefinitionChange[],
): Draft {
  const changes = planned.filter(isEffective);
  const newUids = Object.fromEntries(
    changes
      .filter((change) => change.action === "create" && change.uid === undefined)
      .map((change) => [`${change.kind}/${change.name}`, newUid()]),
  );
  const uidOfWebhook = (name: string) => storedUid(stored, name) ?? newUids[`webhook/${name}`] ?? "";
  return { definition, generation, stored, changes, newUids, uidOfWebhook };
}

/** Seals the credentials of the webhooks, each for the uid of its own. */
export function prepare(draft: Draft, deps: CredentialDeps): Candidate {
  const credentials = draft.definition.webhooks.flatMap(
    (webhook) => sealCredential(webhook, draft.uidOfWebhook(webhook.name), deps) ?? [],
  );
  return { ...draft, credentials };
}

function storedUid(stored: readonly StoredResource[], webhook: string): string | undefined {
  return stored.find((resource) => resource.kind === "webhook" && resource.name === webhook)?.uid;
}
