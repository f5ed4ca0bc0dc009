import { type ResourceKind, type StoredResource, verifiedResource } from "../definitions/changes/plan.ts";
import type {
  Agent,
  Automation,
  Definition,
  Factory,
  Named,
  Outbound,
  Runner,
  Skill,
  Webhook,
} from "../definitions/definition.ts";
import { ingressSecretNamesOf, webhookSecretNamesOf } from "../definitions/rules/check-server.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { FactoryRecord, FactoryStore, StoredDefinition } from "./factory.ts";

/** A definition that is in force, with what the store adds to it. Never changed: a new one takes its place. */
export interface ActiveDefinition {
  /** Of the factory, as of which this is what is stored. */
  generation: number;
  definition: Definition;
  /** Every resource, tombstones too. */
  resources: readonly StoredResource[];
  /** The uid of a live resource. */
  uidOf(kind: ResourceKind, name: string): string | undefined;
  webhooks: readonly ActiveWebhook[];
}

/** A webhook with its uid and its opened credential; without one it accepts nothing. */
export interface ActiveWebhook {
  uid: string;
  webhook: Webhook;
  credential: string | undefined;
  /** The secret that it had before, which is accepted until an instant, perhaps a past one. */
  previous: { secret: string; since: string; until: string } | undefined;
}

/** Puts a definition together from what was stored when it was applied; nothing when none ever was. */
export function definitionOf(resources: readonly StoredResource[]): Definition | undefined {
  const ofKind = <Item extends Named>(kind: ResourceKind) =>
    resources
      .filter((resource) => resource.kind === kind && !resource.deleted)
      .map((resource) => JSON.parse(resource.body) as Item);
  const [factory] = ofKind<Factory>("factory");
  return (
    factory && {
      factory,
      agents: ofKind<Agent>("agent"),
      automations: ofKind<Automation>("automation"),
      runners: ofKind<Runner>("runner"),
      webhooks: ofKind<Webhook>("webhook"),
      outbound: ofKind<Outbound>("outbound"),
      skills: ofKind<Skill>("skill"),
      scorers: ofKind("scorer"),
      benchmarks: ofKind("benchmark"),
    }
  );
}

/** Joins a definition in force with its uids and its opened credentials. */
export function activeDefinition(
  definition: Definition,
  { generation, resources, credentials }: StoredDefinition,
  sealer: Sealer,
): ActiveDefinition {
  const live = resources.filter((resource) => !resource.deleted);
  const uids = new Map(live.map((resource) => [`${resource.kind}/${resource.name}`, resource.uid]));
  const uidOf = (kind: ResourceKind, name: string) => uids.get(`${kind}/${name}`);
  const sealed = new Map(credentials.map((credential) => [credential.webhookUid, credential]));
  const webhooks = definition.webhooks.map((webhook): ActiveWebhook => {
    const uid = uidOf("webhook", webhook.name) ?? "";
    const open = (value: Uint8Array) => sealer.open(value, credentialContext(uid));
    const { sealed: current, previous } = sealed.get(uid) ?? {};
    return {
      uid,
      webhook,
      credential: current && open(current),
      previous: previous && {
        secret: open(previous.sealed),
        since: previous.since,
        until: previous.until,
      },
    };
  });
  return { generation, definition, resources, uidOf, webhooks };
}

/** What is in force by the store; nothing for a factory that is gone, or never had a valid definition. */
export async function loadActive(
  factoryUid: string,
  store: Pick<FactoryStore, "findDefinition">,
  sealer: Sealer,
): Promise<ActiveDefinition | undefined> {
  const stored = await store.findDefinition(factoryUid);
  if (!stored) return undefined;
  // A row that somebody has changed by hand is told from the rest by what it says, and put right by the first pass.
  const resources = stored.resources.map(verifiedResource);
  const definition = definitionOf(resources);
  return definition && activeDefinition(definition, { ...stored, resources }, sealer);
}

/** What a webhook's sealed credential belongs to: it cannot be moved to another webhook. */
export function credentialContext(webhookUid: string): string {
  return `webhook:${webhookUid}`;
}

/**
 * Names of the secrets that the webhooks of factories authenticate with, and those that the outbound webhooks of one factory, or of all,
 * sign with: they are never an agent's business. Of other factories, only the former count: an outbound webhook may name a secret that
 * its factory may not use, and must not take it from their agents.
 */
export function webhookSecretsOf(
  factories: readonly { record: Pick<FactoryRecord, "uid">; active: ActiveDefinition | undefined }[],
  signingOf: { factory: string | null } | "all" = "all",
): Set<string> {
  return new Set(
    factories.flatMap(({ record, active }) => {
      if (!active) return [];
      const isOwn = signingOf === "all" || signingOf.factory === record.uid;
      return isOwn ? webhookSecretNamesOf(active.definition) : ingressSecretNamesOf(active.definition);
    }),
  );
}
