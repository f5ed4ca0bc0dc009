import { serial } from "../concurrency/shared-work.ts";
import type { Plan } from "../definitions/changes/plan.ts";
import type { PlanWarning } from "../definitions/changes/plan-warning.ts";
import { TRAFFIC_DAYS } from "../definitions/changes/prune-guard.ts";
import type { Definition } from "../definitions/definition.ts";
import { FILE_START } from "../definitions/problem.ts";
import { errorMessage, MillraceError } from "../errors/error.ts";
import type { Reference, Tree } from "../git/revision.ts";
import { medianOf } from "../insight/factory-pull-requests.ts";
import type { SpendStore } from "../insight/usage.ts";
import type { Log } from "../log.ts";
import { pluralize } from "../pluralize.ts";
import { type Factories, warnOfSecond } from "../reconcile/factories.ts";
import { ROLLBACK } from "../reconcile/rollback.ts";
import type { Factory, RunningFactory } from "../reconcile/running-factory.ts";
import type { Evaluation } from "../reconcile/steps.ts";
import { type NetworkGuard, networkGuard } from "../runs/turn/network-guard.ts";
import { networkPolicy, runNetwork } from "../runs/turn/network-policy.ts";
import { type FactoryReach, OTHER_HOSTS, type ReachStore } from "../runs/turn/reaches.ts";
import { DAY_MS } from "../time/duration.ts";
import { type PlanReport, type RunCost, reportPlan, type Traffic } from "./plan-report.ts";
import { listenersOf } from "./replay.ts";
import { type ReplayDeps, replayTraffic } from "./replay-traffic.ts";

export interface PlannerDeps extends ReplayDeps {
  spend: Pick<SpendStore, "listRunCosts">;
  factories: Pick<Factories, "list" | "get">;
  reaches: Pick<ReachStore, "listFactoryReaches">;
  /** The factory that the settings name for runs whose requests name none. */
  defaultFactory: { readonly name: string | undefined };
  log: Log;
}

/** Makes plans that know of traffic, for whoever asks: a request of the API, or a pull request. */
export interface Planner {
  /**
   * What would change if something came into force, and which runs the deliveries of the last days would have started.
   * @throws SourceError when the source cannot be read
   */
  plan(factory: Factory, subject: PlanSubject, options?: { traffic: boolean }): Promise<TrafficAwarePlan>;
}

export interface TrafficAwarePlan {
  report: PlanReport;
  /** Whether it is a pull request that leaves the definition as the branch has it. */
  isUntouched: boolean;
  /** The uid of another factory that the source would go on with: the report says what that one has. */
  former: string | undefined;
}

export function createPlanner({
  factories,
  defaultFactory,
  deliveries,
  reaches,
  spend,
  now,
  log,
}: PlannerDeps): Planner {
  // Replaying keeps a processor busy, and the ingress needs the others.
  const replays = serial();
  /** A plan without traffic is better than none. */
  const giveUp = (error: unknown): null => {
    log.warn({ error: errorMessage(error) }, "deliveries could not be replayed for a plan");
    return null;
  };
  const noneOf = (error: unknown): PlanWarning[] => {
    log.warn({ error: errorMessage(error) }, "what runs have reached could not be read for a plan");
    return [];
  };
  async function warnOfDenied(factory: Factory, { loaded, plan }: Evaluation): Promise<PlanWarning[]> {
    const { definition, locate } = loaded;
    if (!definition || !plan || !changesNetworks(plan)) return [];
    const since = new Date(now().getTime() - TRAFFIC_DAYS * DAY_MS).toISOString();
    const reached = await reaches.listFactoryReaches(factory.record.uid, since, MAX_REACHES);
    const names = new Map(plan.changes.map(({ kind, name, uid }) => [`${kind} ${uid}`, name]));
    return deniedReaches(reached, { definition, locate, nameOf: (kind, uid) => names.get(`${kind} ${uid}`) });
  }
  /** Said with the first definition of a factory: its author hears of it before anything is in force. */
  function ofSecond({ record, active }: Factory): PlanWarning[] {
    const message = active ? undefined : warnOfSecond(factories.list(), record.uid, defaultFactory.name);
    if (message === undefined) return [];
    return [{ code: "second_factory", message, path: "factory.yaml", ...FILE_START, blocking: false }];
  }
  return {
    async plan(factory, subject, { traffic } = { traffic: true }) {
      const running = factories.get(factory.record.uid);
      const tree = await treeFor(subject, running);
      const isRollback = subject !== "latest" && "rollbackTo" in subject;
      const evaluation = await running.evaluate(tree, isRollback ? ROLLBACK : {});
      const sides = traffic ? sidesOf(factory, evaluation) : undefined;
      const replayed = sides
        ? await replays
            .run(() => replayTraffic(sides, { deliveries, now }))
            .then((found) => priceTraffic(found, factory, spend))
            .catch(giveUp)
        : null;
      const report = reportOf(evaluation, tree.revision.id);
      const denied = traffic ? await warnOfDenied(factory, evaluation).catch(noneOf) : [];
      const warnings = [...report.warnings, ...denied, ...ofSecond(factory)];
      return {
        report: { ...report, warnings, traffic: replayed },
        isUntouched: tree.isUntouched ?? false,
        former: evaluation.former?.uid,
      };
    },
  };
}

/** Enough to tell. */
const MAX_REACHES = 20_000;

function changesNetworks({ changes }: Plan): boolean {
  return changes.some(({ fields }) => fields.includes("network"));
}

function reportOf({ loaded, target, plan, unplanned }: Evaluation, revision: string): PlanReport {
  const factory = loaded.definition?.factory.name ?? target.factory.name;
  return reportPlan({ factory, revision, plan, problems: unplanned });
}

/** Who listens now and who would; nothing when there is nothing to compare. */
function sidesOf({ record, active }: Factory, { loaded: { definition }, plan }: Evaluation) {
  if (!active || !definition || !plan) return undefined;
  const uids = new Map(plan.changes.map(({ kind, name, uid }) => [`${kind}/${name}`, uid]));
  const planned = definition.webhooks.map((webhook) => {
    return { uid: uids.get(`webhook/${webhook.name}`), webhook };
  });
  return {
    factoryUid: record.uid,
    before: listenersOf(active.definition.automations, active.webhooks),
    after: listenersOf(definition.automations, planned),
  };
}

/** So many runs tell what the next one costs. */
const LAST_RUNS = 50;

/** What a run of an automation costs; nothing where no cost of its last runs is known. */
async function findRunCost(
  automationUid: string,
  spend: Pick<SpendStore, "listRunCosts">,
): Promise<RunCost | undefined> {
  const costs = await spend.listRunCosts(automationUid, LAST_RUNS);
  const median = medianOf(costs);
  return median === null ? undefined : { median, runs: costs.length };
}

/** Adds to each automation that would start more or fewer runs what a run of it costs. */
export async function priceTraffic(
  traffic: Traffic,
  { active }: Pick<Factory, "active">,
  spend: Pick<SpendStore, "listRunCosts">,
): Promise<Traffic> {
  // Of a part of a week's deliveries nobody knows what a week costs.
  if (!traffic.complete) return traffic;
  const automations = await Promise.all(
    traffic.automations.map(async (automation) => {
      const { name, before, after } = automation;
      const uid = active?.uidOf("automation", name);
      const cost = uid === undefined || before === after ? undefined : await findRunCost(uid, spend);
      return cost ? { ...automation, cost } : automation;
    }),
  );
  return { ...traffic, automations };
}

/** A definition and the names of what its runs were of. */
interface Denying {
  definition: Definition;
  /** The name of an automation or an agent by its uid. */
  nameOf(kind: "automation" | "agent", uid: string): string | undefined;
  locate(path: string, at: (string | number)[]): { line: number; column: number };
}

/** The runs of one automation or agent. */
interface Tally {
  whose: string;
  path: string;
  /** Nothing for runs that may reach everything. */
  guard: NetworkGuard | undefined;
  runs: Set<string>;
  denied: Set<string>;
  example?: string;
}

/**
 * Which runs of the last days have reached a host that a definition denies. Only runs whose network was limited have left a
 * record.
 */
export function deniedReaches(
  reaches: readonly FactoryReach[],
  { definition, nameOf, locate }: Denying,
): PlanWarning[] {
  const tallies = new Map<string, Tally>();
  /** By the uids of what runs are of: a week has many runs of few of them. */
  const found = new Map<string, Tally | undefined>();
  for (const reach of reaches) {
    if (reach.host === OTHER_HOSTS) continue;
    const key = `${reach.automationUid} ${reach.agentUid}`;
    if (!found.has(key)) {
      const made = tallyOf(reach, definition, nameOf);
      found.set(key, made && (tallies.get(made.whose) ?? made));
    }
    const tally = found.get(key);
    if (!tally) continue;
    tallies.set(tally.whose, tally);
    tally.runs.add(reach.runId);
    if (tally.guard?.allows(reach) !== false) continue;
    tally.denied.add(reach.runId);
    tally.example ??= `${reach.host}:${reach.port}`;
  }
  return [...tallies.values()].flatMap(({ whose, path, runs, denied, example }): PlanWarning[] => {
    if (denied.size === 0) return [];
    const message = `${denied.size} of ${pluralize(runs.size, "run")} of ${whose} in the last 7 days reached a host that this denies, for example ${example}`;
    return [
      { code: "network_denies_reached", message, path, ...locate(path, ["millrace"]), blocking: false },
    ];
  });
}

/** @returns nothing for runs of something that is not there any more */
function tallyOf(
  { automationUid, agentUid }: FactoryReach,
  { factory, agents, automations, runners }: Definition,
  nameOf: Denying["nameOf"],
): Tally | undefined {
  const wanted = automationUid === null ? undefined : nameOf("automation", automationUid);
  const automation = automations.find(({ name }) => name === wanted);
  const ofAgent = automation?.agent ?? (agentUid === null ? undefined : nameOf("agent", agentUid));
  const agent = agents.find(({ name }) => name === ofAgent);
  const of = automation ?? agent;
  if (!of) return undefined;
  const runner = runners.find(({ name }) => name === of.execution.runner);
  const rules = { factory: factory.network, agent: agent?.network, automation: automation?.network };
  const policy = networkPolicy(runNetwork(rules).network, { runner: runner?.network });
  return {
    whose: `the ${automation ? "automation" : "agent"} "${of.name}"`,
    path: of.path,
    guard: policy && networkGuard(policy),
    runs: new Set(),
    denied: new Set(),
  };
}

/** What a plan is made for: the source as it is now, another place of it, a rollback, or a tree that somebody has. */
export type PlanSubject = "latest" | { reference: Reference } | { rollbackTo: string } | { tree: Tree };

/**
 * The tree that a plan is asked for.
 * @throws MillraceError `invalid_request` for a commit of a source that has none; SourceError when git cannot give it
 */
async function treeFor(
  subject: PlanSubject,
  running: Pick<RunningFactory, "source" | "sourceName" | "record" | "appliedTree">,
): Promise<Tree> {
  const { source, sourceName: name, record } = running;
  if (subject === "latest") {
    // The loop may be looking at the tip just now, and two that fetch it would stand in each other's way.
    if (!("url" in record.source) || !source.at) return source.latest();
    return source.at({ ref: `refs/heads/${record.source.branch}` });
  }
  if ("tree" in subject) return subject.tree;
  if ("rollbackTo" in subject) return running.appliedTree(subject.rollbackTo);
  if (source.at) return source.at(subject.reference);
  throw new MillraceError("invalid_request", `The source of "${name}" is a folder, which has no commits.`, {
    remedy: "Send files instead: `millrace plan DIR`.",
  });
}
