import {
  type DefinitionChange,
  type EffectiveChange,
  isEffective,
  type Plan,
  planChanges,
  type StoredResource,
} from "../definitions/changes/plan.ts";
import type { PlanWarning } from "../definitions/changes/plan-warning.ts";
import {
  ALLOW_DELETES_TRAILER,
  deletedWebhooks,
  stricterGuard,
  suspectDeletions,
  TRAFFIC_DAYS,
} from "../definitions/changes/prune-guard.ts";
import type { Definition, Factory } from "../definitions/definition.ts";
import type { Loaded } from "../definitions/loading/loaded.ts";
import { FILE_START, hasErrors, type Problem, sortProblems, WHOLE_TREE } from "../definitions/problem.ts";
import {
  agentSecretNamesOf,
  checkAgainstServer,
  previousSecretNamesOf,
} from "../definitions/rules/check-server.ts";
import type { ServerFinding, ServerState } from "../definitions/rules/server-rule.ts";
import type { Tree } from "../git/revision.ts";
import { newUid } from "../id.ts";
import { includesFactory, type SecretReader } from "../secrets/rules/scope.ts";
import { workerEnvironmentFor } from "../secrets/setting-scopes.ts";
import type { Vault } from "../secrets/vault.ts";
import { DAY_MS } from "../time/duration.ts";
import { loadActive } from "./active-definition.ts";
import type { FactoryRecord, StoredDefinition, WebhookCredential } from "./factory.ts";
import { claimNames, findPredecessor, nameOfSource } from "./factory-name.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";
import { type CredentialDeps, sealCredential, takenCredentials } from "./webhook-credentials.ts";

/** A tree held against everything that has to be true of it before it comes into force. */
export interface Evaluation {
  loaded: Loaded;
  /** The subject, with the factory that the tree goes on with. */
  target: Subject;
  /** Set when that is another one than the subject's. */
  former: FactoryRecord | undefined;
  /** What applying it needs, and what it changes; nothing when the tree alone is not valid. */
  candidate: Candidate | undefined;
  plan: Plan | undefined;
  /** All that is to be said of it; with an error among them it cannot come into force. */
  problems: Problem[];
  /** What of its name and its alias another factory has. */
  taken: Problem[];
  /** The problems that the plan has no warning for. */
  unplanned: Problem[];
}

/**
 * Finds out whether a tree can come into force, and what that would write. The steps are to read, plan, gather, validate,
 * guard and claim, and none of them writes anything; what is left is to apply it.
 * @param rechecks whether the revision is in force already, and is only looked at once more
 */
export async function evaluate(
  tree: Tree,
  subject: Subject,
  rechecks: boolean,
  deps: ReconcileDeps,
): Promise<Evaluation> {
  const loaded = await read(tree, subject, deps);
  const { definition } = loaded;
  if (!definition) {
    const problems = sortProblems(loaded.problems);
    const nothing = { former: undefined, candidate: undefined, plan: undefined, taken: [] };
    return { loaded, target: subject, problems, unplanned: problems, ...nothing };
  }
  const former = await findPredecessor(definition.factory.name, subject, deps);
  const target = former ? { ...subject, factory: former, active: undefined } : subject;
  const { planned, draft } = await plan(definition, loaded, target, deps);
  const state = await gather(draft, target, rechecks, deps);
  const found = validate(definition, loaded, state);
  // Webhooks of a factory that goes on with another source keep their overlaps.
  const active = former ? await loadActive(former.uid, deps.store, deps.sealer) : target.active;
  const { sealer } = deps;
  const { secrets } = state;
  const candidate = seal(draft, { secrets, active, rotation: subject.rotation, sealer, now: deps.now() });
  // What is in force may be put right, whatever that takes.
  const guarded = rechecks ? NOTHING_GUARDED : await guard(candidate, tree, loaded, target, deps);
  const taken = await claimNames(definition, loaded, target.factory, deps);
  return {
    loaded,
    target,
    former,
    candidate,
    plan: {
      changes: planned.changes,
      warnings: [...planned.warnings, ...found.warnings, ...guarded.warnings],
    },
    problems: sortProblems([...loaded.problems, ...found.problems, ...guarded.problems]),
    taken,
    unplanned: [...loaded.problems, ...found.unwarned, ...taken],
  };
}

/** Reads the files of a tree, and resolves them to a definition when they are valid by themselves. */
async function read(tree: Tree, subject: Subject, deps: ReconcileDeps): Promise<Loaded> {
  return deps.load(tree, await nameOfSource(subject, deps), subject.cacheName);
}

/** Plans what changes, on what is stored of the factory. */
async function plan(
  definition: Definition,
  { locate }: Loaded,
  { active, factory }: Subject,
  { store }: ReconcileDeps,
): Promise<{ planned: Plan; draft: Draft }> {
  const stored = active ?? (await store.findDefinition(factory.uid)) ?? NOTHING_STORED;
  const planned = planChanges(stored.resources, definition, locate);
  // What was read at two instants is planned on the earlier one: the store tells whether anything has changed since.
  const generation = Math.min(stored.generation, factory.generation);
  return {
    planned,
    draft: draftOf(definition, { generation, resources: stored.resources }, planned.changes),
  };
}

/** Of a factory that is gone: nothing that is planned on it can be applied. */
const NOTHING_STORED = { generation: -1, resources: [] };

/** Holds a definition against what was gathered of the server. Problems that a plan has no warning for are unwarned. */
function validate(definition: Definition, loaded: Loaded, state: ServerState) {
  const findings = checkAgainstServer(definition, loaded, state);
  return {
    problems: findings.map(({ problem }) => problem),
    unwarned: findings.filter(({ warning }) => warning === undefined).map(({ problem }) => problem),
    warnings: findings.flatMap(asWarning),
  };
}

/** What a plan says of a finding. */
function asWarning({ problem, warning }: ServerFinding): PlanWarning[] {
  if (warning === undefined) return [];
  const { message, path, line, column } = problem;
  return [{ code: warning, message, path, line, column, blocking: hasErrors([problem]) }];
}

/**
 * Gathers what the rules have to know of this server.
 * @param isRecheck whether the revision is in force already: then credentials stay as they were taken
 */
async function gather(
  { definition, changes, uidOfWebhook }: Draft,
  { factory, active, newSecrets }: Subject,
  isRecheck: boolean,
  deps: ReconcileDeps,
): Promise<ServerState> {
  const { uid, name: factoryName, mode } = factory;
  const taken = isRecheck ? takenCredentials(active) : new Map<string, string>();
  const usable = await openSecrets(definition, uid, deps.vault);
  return {
    secrets: new Map([...usable.ofWebhooks, ...taken, ...(newSecrets ?? [])]),
    agentSecrets: new Set([...usable.ofAgents, ...(newSecrets?.keys() ?? [])]),
    placeOfSecret: (name) => (usable.within.has(name) ? deps.vault.placeOf(name) : undefined),
    isSecretOfServer: deps.vault.isOfServer,
    isActive: isRecheck,
    webhookUids: new Set(definition.webhooks.map(({ name }) => uidOfWebhook(name))),
    scheduleIds: await deps.listScheduleIds(uid),
    mayAwaitSecrets: mode === "managed",
    hasHarness: deps.hasHarness,
    redirectsKey: deps.redirectsKey,
    hasPrice: deps.hasPrice,
    forges: await deps.forgesOf(uid),
    neededForServerKey: (await deps.mayUseWorkerEnvironment(uid)) ? undefined : workerEnvironmentFor(uid),
    factoryName,
    host: deps.host,
    network: deps.network,
    workers: await deps.listWorkers(uid),
    changes,
    narrowed: active ? await deps.findNarrowed(uid, active, definition.factory.repositories) : [],
  };
}

/** What of the secrets that a definition names is there, and its factory may use. */
interface UsableSecrets {
  /** The values of those that its webhooks name. */
  ofWebhooks: ReadonlyMap<string, string>;
  /** Names of those that its agents may have. */
  ofAgents: ReadonlySet<string>;
  /** Names of those in whose scope the factory is, whether they have a value or not. */
  within: ReadonlySet<string>;
}

/**
 * Opens what a definition names. A secret that cannot be read keeps the definition from coming into force where a webhook
 * needs it; where an agent does, or an overlap, it counts as missing.
 */
async function openSecrets(
  definition: Definition,
  factoryUid: string,
  vault: Pick<Vault, "open" | "list">,
): Promise<UsableSecrets> {
  const reader = { webhooksOf: factoryUid };
  const current = await vault.open(
    definition.webhooks.map(({ secretName }) => secretName),
    reader,
  );
  const previous = await readable(previousSecretNamesOf(definition), reader, vault);
  const scoped = (await vault.list()).filter((secret) => includesFactory(secret, factoryUid));
  return {
    ofWebhooks: new Map([...previous, ...current]),
    ofAgents: new Set(
      (await readable(agentSecretNamesOf(definition), { agentsOf: factoryUid }, vault)).keys(),
    ),
    within: new Set(scoped.map(({ name }) => name)),
  };
}

async function readable(
  names: readonly string[],
  reader: SecretReader,
  vault: Pick<Vault, "open">,
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  return vault.open(names, reader).catch(async () => {
    const opened = names.map((name) => vault.open([name], reader).catch(() => new Map<string, string>()));
    return new Map((await Promise.all(opened)).flatMap((each) => [...each]));
  });
}

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

function draftOf(
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
function seal(draft: Draft, deps: CredentialDeps): Candidate {
  const credentials = draft.definition.webhooks.flatMap(
    (webhook) => sealCredential(webhook, draft.uidOfWebhook(webhook.name), deps) ?? [],
  );
  return { ...draft, credentials };
}

function storedUid(stored: readonly StoredResource[], webhook: string): string | undefined {
  return stored.find((resource) => resource.kind === "webhook" && resource.name === webhook)?.uid;
}

/** What the prune guard says of a candidate, to whoever plans it and to whoever applies it. */
interface Guarded {
  warnings: PlanWarning[];
  problems: Problem[];
}

const NOTHING_GUARDED: Guarded = { warnings: [], problems: [] };

/** Looks at what a candidate deletes. Under `block` that is an error, until somebody has said that it is meant. */
export async function guard(
  { definition, stored, changes }: Draft,
  tree: Tree,
  loaded: Pick<Loaded, "locate">,
  subject: Subject,
  { lastDelivered, now }: Pick<ReconcileDeps, "lastDelivered" | "now">,
): Promise<Guarded> {
  const strictness = stricterGuard(definition.factory.pruneGuard, activeGuard(stored));
  const deleted = deletedWebhooks(changes).flatMap(({ uid }) => uid ?? []);
  if (strictness === "off" || deleted.length === 0) return NOTHING_GUARDED;
  const since = new Date(now().getTime() - TRAFFIC_DAYS * DAY_MS).toISOString();
  const used = await lastDelivered(subject.factory.uid, deleted, since);
  const suspicions = suspectDeletions(stored, changes, used);
  const blocks = strictness === "block" && suspicions.length > 0 && !(await isAllowed(tree, subject));
  const place = { path: WHOLE_TREE, ...loaded.locate(WHOLE_TREE, ["millrace", "pruneGuard"]) };
  return {
    warnings: suspicions.map((suspicion) => ({ ...suspicion, ...FILE_START, blocking: blocks })),
    problems: suspicions.map(({ message }): Problem => {
      const severity = blocks ? "error" : "warning";
      return {
        code: "PRUNE_GUARD",
        message: blocks ? `${message}. ${remedyFor(tree, subject)}` : message,
        ...place,
        severity,
      };
    }),
  };
}

function remedyFor({ revision }: Tree, { factory }: Subject): string {
  if (revision.id === "")
    return "If this is intended, run `millrace import --allow-deletes`, or send `allow_deletes: true` over the API";
  const sync = `millrace sync --allow-deletes --revision ${revision.id.slice(0, 12)}`;
  return `If this is intended, run \`${sync}\`, or push a commit with the trailer "${ALLOW_DELETES_TRAILER}: ${factory.sync.appliedRevision?.slice(0, 12)}", which specifies the applied revision`;
}

function activeGuard(stored: readonly StoredResource[]): Factory["pruneGuard"] {
  const factory = stored.find(({ kind, deleted }) => kind === "factory" && !deleted);
  return factory ? (JSON.parse(factory.body) as Factory).pruneGuard : "off";
}

const HASH = /^[0-9a-f]{7,64}$/;

/** Whoever syncs may say so, and whoever commits; who goes back to a revision has said it by asking for that. */
async function isAllowed(tree: Tree, { factory, request }: Subject): Promise<boolean> {
  if (request.allowsDeletes?.some((revision) => tree.revision.id.startsWith(revision))) return true;
  const applied = factory.sync.appliedRevision;
  const trailers = (await tree.trailers?.(ALLOW_DELETES_TRAILER, applied)) ?? [];
  const values = trailers.map((value) => value.trim().toLowerCase());
  if (applied !== null && values.some((value) => HASH.test(value) && applied.startsWith(value))) return true;
  // Which deletions it means is said by nothing but its place, which is another one once history was rewritten.
  if (!values.some((value) => value === "true" || value === "yes")) return false;
  return applied !== null && ((await tree.contains?.(applied)) ?? true);
}
