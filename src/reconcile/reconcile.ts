import type { Definition } from "../definitions/definition.ts";
import { type LoadCache, type Loaded, loadDefinition } from "../definitions/load.ts";
import { type Change, planChanges, resourcesAfter, type StoredResource } from "../definitions/plan.ts";
import { hasErrors, type Problem, sortProblems, treeProblem } from "../definitions/problem.ts";
import { type Source, SourceError, type Tree } from "../git/revision.ts";
import { newUid, newUuid } from "../id.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { Vault } from "../secrets/vault.ts";
import { checkAgainstServer, secretNamesOf } from "./check-server.ts";
import type { FactoryRecord, FactoryStore, WebhookCredential } from "./factory.ts";
import type { Outcome, Reason } from "./outcome.ts";
import { credentialContext, type ServedDefinition, serveDefinition } from "./served.ts";

export interface ReconcileParts {
  store: FactoryStore;
  vault: Vault;
  sealer: Sealer;
  hasHarness(type: string): boolean;
  now: () => Date;
}

/** What a pass is about: a factory as it is recorded, where its definition comes from, and what is in force. */
export interface Subject {
  factory: FactoryRecord;
  source: Source;
  served: ServedDefinition | undefined;
  /** Files that are known from the pass before. */
  cache: LoadCache;
}

/** More problems than this are counted, not kept: a person reads the first ones, and the store keeps every attempt. */
const MOST_KEPT_PROBLEMS = 200;

/**
 * One pass: read the source, and when there is something new bring it into force, whole or not at all. What happened
 * is recorded in one place, at the end of the pass.
 */
export async function reconcile(subject: Subject, reason: Reason, parts: ReconcileParts): Promise<Outcome> {
  let tree: Tree;
  try {
    tree = await subject.source.latest();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const problems = [treeProblem(error.code, error.message)];
    await parts.store.recordUnreadable(subject.factory.uid, problems);
    return { kind: "unreadable", problems };
  }
  if (!isNews(tree, subject.factory, reason)) {
    await restoreStatus(subject.factory, parts.store);
    return { kind: "unchanged" };
  }
  return attempt(tree, subject, reason, parts);
}

function isNews(tree: Tree, { mode, sync }: FactoryRecord, reason: Reason): boolean {
  if (tree.revision.id !== sync.attemptedRevision || reason === "start") return true;
  const retries = reason === "sync" || reason === "secret";
  return retries && (mode === "folder" || sync.attemptedRevision !== sync.appliedRevision);
}

/** The source answers again, at the revision of the last attempt: what that attempt said is what counts again. */
async function restoreStatus({ uid, sync }: FactoryRecord, store: FactoryStore): Promise<void> {
  if (sync.status !== "failed" || !sync.problems.some((problem) => problem.code.startsWith("GIT_"))) return;
  const [last] = await store.listRevisions(uid, { limit: 1 });
  await store.recordReadable(uid, last?.outcome === "applied" ? "synced" : "failed", last?.problems ?? []);
}

async function attempt(
  tree: Tree,
  subject: Subject,
  reason: Reason,
  parts: ReconcileParts,
): Promise<Outcome> {
  const { factory } = subject;
  const restarted = reason === "start" && tree.revision.id === factory.sync.appliedRevision;
  const loaded = await loadDefinition(tree, factory.name, subject.cache);
  const candidate =
    loaded.definition && (await prepare(loaded.definition, loaded, subject, restarted, parts));
  const problems = sortProblems([...loaded.problems, ...(candidate?.problems ?? [])]);
  if (restarted && candidate?.changes.length === 0) return { kind: "unchanged" };

  const record = {
    id: newUuid(),
    revision: tree.revision,
    at: parts.now().toISOString(),
    problems: keep(problems),
  };
  if (!candidate || hasErrors(problems)) {
    await parts.store.recordFailure(factory.uid, record);
    return { kind: "refused", problems };
  }
  const { definition, stored, changes, newUids, credentials } = candidate;
  const application = { ...record, factoryName: definition.factory.name, changes, newUids, credentials };
  if (!(await parts.store.apply(factory.uid, application))) {
    const all = [nameTaken(definition, loaded), ...problems];
    await parts.store.recordFailure(factory.uid, { ...record, problems: keep(all) });
    return { kind: "refused", problems: all };
  }
  const resources = resourcesAfter(stored, changes, newUids, record.at);
  return { kind: "applied", served: serveDefinition(definition, resources, credentials, parts.sealer) };
}

interface Candidate {
  definition: Definition;
  stored: readonly StoredResource[];
  problems: Problem[];
  changes: Change[];
  newUids: Record<string, string>;
  credentials: WebhookCredential[];
}

/**
 * Everything that applying needs and that can still find a problem: uids, secrets, and what the server has.
 * @param restarted whether the revision is in force already: then credentials stay as they were taken
 */
async function prepare(
  definition: Definition,
  loaded: Loaded,
  { factory, served }: Subject,
  restarted: boolean,
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

  const secrets = await parts.vault.open(secretNamesOf(definition));
  const webhookUids = new Set(definition.webhooks.map((webhook) => uidOfWebhook(webhook.name)));
  const problems = checkAgainstServer(definition, loaded, {
    secrets,
    webhookUids,
    hasHarness: parts.hasHarness,
  });

  const taken = new Map(
    restarted ? served?.webhooks.map(({ webhook, credential }) => [webhook.name, credential]) : [],
  );
  const credentials = definition.webhooks.flatMap(({ name, secretName }): WebhookCredential[] => {
    const value = taken.get(name) ?? secrets.get(secretName);
    const webhookUid = uidOfWebhook(name);
    if (value === undefined) return [];
    return [{ webhookUid, secretName, sealed: parts.sealer.seal(value, credentialContext(webhookUid)) }];
  });
  return { definition, stored, problems, changes, newUids, credentials };
}

function storedUid(stored: readonly StoredResource[], webhook: string): string | undefined {
  return stored.find((resource) => resource.kind === "webhook" && resource.name === webhook)?.uid;
}

function nameTaken(definition: Definition, loaded: Loaded): Problem {
  const { name, path } = definition.factory;
  const message = `another factory of this server is named "${name}" already: names are unique on a server`;
  return { code: "FF_INVALID_VALUE", message, path, ...loaded.locate(path, ["name"]), severity: "error" };
}

function keep(problems: readonly Problem[]): Problem[] {
  if (problems.length <= MOST_KEPT_PROBLEMS) return [...problems];
  const rest = `${problems.length - MOST_KEPT_PROBLEMS} more problems: \`millrace validate\` shows all of them`;
  const [first] = problems;
  return [
    ...problems.slice(0, MOST_KEPT_PROBLEMS),
    treeProblem(first?.code ?? "FF_INVALID_DOCUMENT", rest, "notice"),
  ];
}
