import type { Definition } from "../definitions/definition.ts";
import type { Loaded } from "../definitions/load.ts";
import { type Change, type Plan, planChanges, type StoredResource } from "../definitions/plan.ts";
import type { PlanWarning } from "../definitions/plan-warning.ts";
import { hasErrors, type Problem } from "../definitions/problem.ts";
import { newUid } from "../id.ts";
import { webhookSecret } from "../secrets/webhook-secret.ts";
import { checkAgainstServer, type Finding } from "./check-server.ts";
import type { WebhookCredential } from "./factory.ts";
import { newNamesArePlain } from "./new-name-rules.ts";
import { openSecrets } from "./open-secrets.ts";
import { credentialContext, type ServedDefinition } from "./served.ts";
import type { ReconcileParts, Subject } from "./subject.ts";

/** A valid tree with everything that applying it needs. */
export interface Candidate {
  definition: Definition;
  stored: readonly StoredResource[];
  /** Everything that keeps it from being applied, or is to be said of it on this server. */
  problems: Problem[];
  /** What would change, with what stays as it is, and what is to be known before. */
  plan: Plan;
  /** Those of the problems that the plan has no warning for. */
  unplanned: Problem[];
  /** The changes of the plan that change something. */
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
  { factory, served, newSecrets }: Subject,
  looksAgain: boolean,
  parts: ReconcileParts,
): Promise<Candidate> {
  const stored = served?.resources ?? (await parts.store.listResources(factory.uid));
  const planned = planChanges(stored, definition, loaded.locate);
  const changes = planned.changes.filter((change) => change.action !== "unchanged");
  const newUids = Object.fromEntries(
    changes
      .filter((change) => change.action === "create" && change.uid === undefined)
      .map((change) => [`${change.kind}/${change.name}`, newUid()]),
  );
  const uidOfWebhook = (name: string) => storedUid(stored, name) ?? newUids[`webhook/${name}`] ?? "";

  const taken = looksAgain ? takenCredentials(served) : new Map<string, string>();
  const usable = await openSecrets(definition, factory.uid, parts.vault);
  const secrets = new Map([...usable.ofWebhooks, ...taken, ...(newSecrets ?? [])]);
  const webhookUids = new Set(definition.webhooks.map((webhook) => uidOfWebhook(webhook.name)));
  const findings = checkAgainstServer(definition, loaded, {
    secrets,
    agentSecrets: new Set([...usable.ofAgents, ...(newSecrets?.keys() ?? [])]),
    placeOfSecret: (name) => (usable.within.has(name) ? parts.vault.placeOf(name) : undefined),
    isSecretOfServer: parts.vault.isOfServer,
    isInForce: looksAgain,
    webhookUids,
    scheduleIds: await parts.listScheduleIds(factory.uid),
    mayAwaitSecrets: factory.mode === "managed",
    hasHarness: parts.hasHarness,
    hasForge: parts.hasForge,
    factoryName: factory.name,
    host: parts.host,
  });

  const credentials = definition.webhooks.flatMap(({ name, secretName }): WebhookCredential[] => {
    const value = secrets.get(secretName);
    const webhookUid = uidOfWebhook(name);
    if (value === undefined) return [];
    const sealed = parts.sealer.seal(webhookSecret(value), credentialContext(webhookUid));
    return [{ webhookUid, secretName, sealed }];
  });
  const names = newNamesArePlain(changes, loaded);
  const problems = [...findings.map(({ problem }) => problem), ...names];
  const withoutWarning = findings
    .filter(({ warning }) => warning === undefined)
    .map(({ problem }) => problem);
  const unplanned = [...withoutWarning, ...names];
  const plan = { changes: planned.changes, warnings: [...planned.warnings, ...findings.flatMap(asWarning)] };
  return { definition, stored, problems, plan, unplanned, changes, newUids, credentials };
}

/** What a plan says of a finding. */
export function asWarning({ problem, warning }: Finding): PlanWarning[] {
  if (warning === undefined) return [];
  const { message, path, line, column } = problem;
  return [{ code: warning, message, path, line, column, blocking: hasErrors([problem]) }];
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
