import type { Definition } from "../definitions/definition.ts";
import type { Loaded } from "../definitions/load.ts";
import { type Change, planChanges, type StoredResource } from "../definitions/plan.ts";
import type { Problem } from "../definitions/problem.ts";
import { newUid } from "../id.ts";
import { checkAgainstServer, secretNamesOf } from "./check-server.ts";
import type { WebhookCredential } from "./factory.ts";
import { credentialContext, type ServedDefinition } from "./served.ts";
import type { ReconcileParts, Subject } from "./subject.ts";

/** A valid tree with everything that applying it needs. */
export interface Candidate {
  definition: Definition;
  stored: readonly StoredResource[];
  problems: Problem[];
  changes: Change[];
  newUids: Record<string, string>;
  credentials: WebhookCredential[];
}

/**
 * Everything that applying needs and that can still find a problem: uids, secrets, and what the server has.
 * @param looksAgain whether the revision is in force already: then credentials stay as they were taken
 */
export async function prepare(
  definition: Definition,
  loaded: Loaded,
  { factory, served }: Subject,
  looksAgain: boolean,
  parts: ReconcileParts,
): Promise<Candidate> {
  const stored = served?.resources ?? (await parts.store.listResources(factory.uid));
  const changes = planChanges(stored, definition).changes.filter((change) => change.action !== "unchanged");
  const newUids = Object.fromEntries(
    changes
      .filter((change) => change.action === "create" && change.uid === undefined)
      .map((change) => [`${change.kind}/${change.name}`, newUid()]),
  );
  const uidOfWebhook = (name: string) => storedUid(stored, name) ?? newUids[`webhook/${name}`] ?? "";

  const taken = looksAgain ? takenCredentials(served) : new Map<string, string>();
  const secrets = new Map([...(await parts.vault.open(secretNamesOf(definition))), ...taken]);
  const webhookUids = new Set(definition.webhooks.map((webhook) => uidOfWebhook(webhook.name)));
  const problems = checkAgainstServer(definition, loaded, {
    secrets,
    webhookUids,
    scheduleIds: await parts.listScheduleIds(factory.uid),
    hasHarness: parts.hasHarness,
    hasForge: parts.hasForge,
  });

  const credentials = definition.webhooks.flatMap(({ name, secretName }): WebhookCredential[] => {
    const value = secrets.get(secretName);
    const webhookUid = uidOfWebhook(name);
    if (value === undefined) return [];
    return [{ webhookUid, secretName, sealed: parts.sealer.seal(value, credentialContext(webhookUid)) }];
  });
  return { definition, stored, problems, changes, newUids, credentials };
}

/** The values that webhooks were applied with, by the secrets that they came from. */
function takenCredentials(served: ServedDefinition | undefined): Map<string, string> {
  const taken = new Map<string, string>();
  for (const { webhook, credential } of served?.webhooks ?? []) {
    if (credential !== undefined) taken.set(webhook.secretName, credential);
  }
  return taken;
}

function storedUid(stored: readonly StoredResource[], webhook: string): string | undefined {
  return stored.find((resource) => resource.kind === "webhook" && resource.name === webhook)?.uid;
}
