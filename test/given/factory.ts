import { expect } from "vitest";
import { newUid, newUuid } from "../../src/id.ts";
import type { AcceptableDelivery, Recorded } from "../../src/ingress/delivery.ts";
import type { NewOutboundMessage } from "../../src/messages/outbound-events.ts";
import type { Application, Applied, FactoryRecord, FactoryStore } from "../../src/reconcile/factory.ts";
import type { CostedUsage, TurnResources, UsageSource } from "../../src/runs/output/usage.ts";
import type { Wait, WaitMode } from "../../src/runs/rules/wait.ts";
import type { Ending, NewRun } from "../../src/runs/run.ts";
import type { RunStore } from "../../src/runs/run-store.ts";
import type { TaskEditor } from "../../src/runs/tasks/task.ts";
import type { Store } from "../../src/store/store.ts";
import { AT, aRun, aStore, LATER, LEASE } from "./store.ts";

/** A factory of a folder that nothing was ever applied to. */
export function aFactory(name = "a"): FactoryRecord {
  return {
    uid: newUid(),
    sourceKey: `folder:/${name}`,
    name,
    mode: "folder",
    source: { path: `/${name}` },
    sync: {
      status: "pending",
      attemptedRevision: null,
      attemptedAt: null,
      appliedRevision: null,
      appliedAt: null,
      problems: [],
    },
    createdAt: AT,
    generation: 0,
  };
}

/** A store with factories of these uids: runs of others are cancelled. */
export async function aStoreOf(...uids: string[]): ReturnType<typeof aStore> {
  const store = await aStore();
  for (const uid of uids) await store.factories.create({ ...aFactory(uid), uid });
  return store;
}

/** What applying a definition without resources writes; planned on a factory that nothing was ever applied to. */
export function anApplication(revision: string, changes: Partial<Application> = {}): Application {
  return {
    id: newUuid(),
    revision: { id: revision, author: "Ann", message: "Change" },
    at: AT,
    problems: [],
    expects: 0,
    factoryName: "acme",
    changes: [],
    newUids: {},
    credentials: [],
    reason: "poll",
    principal: null,
    suspends: false,
    alias: undefined,
    ...changes,
  };
}

/** Applies what was planned on whatever is in force. */
export async function applyTo(
  factories: FactoryStore,
  uid: string,
  application: Omit<Application, "expects">,
): Promise<Applied | "files moved"> {
  const expects = (await factories.findDefinition(uid))?.generation ?? 0;
  return factories.apply(uid, { ...application, expects });
}

/** What applying ends with that was done. */
export const APPLIED = { generation: expect.any(Number) };

export const ANN: TaskEditor = {
  principal: { uid: "ann", type: "user", displayName: "Ann" },
  runId: null,
};

/** A store with a factory, and ways to give it tasks and runs. */
export async function storeOfTasks(path?: string) {
  const store = await aStore(path);
  const { uid: factoryUid } = await store.factories.create(aFactory("acme"));
  const run = (changes: Partial<NewRun> = {}) => aRun({ factoryUid, ...changes });
  return {
    ...store,
    factoryUid,
    run,
    /** Dispatches a run. @returns the run and its task */
    async dispatch(title = "Fix it", at = AT) {
      const uid = newUid();
      const ticket = { source: "linear", id: "T-1", url: null };
      const created = await store.runs.create(run({ task: { uid, title, ticket } }), at);
      return { uid, run: created };
    },
    /** Stores a run that another one has started. */
    child: (parent: { id: string; ancestors: string[] }) =>
      store.runs.create(run({ ancestors: [...parent.ancestors, parent.id] }), AT),
    /** Lets a worker take what waits, and start it. @returns the tickets by run */
    async start() {
      const claims = await store.runs.claim(50, LEASE, AT);
      for (const {
        run: { id },
        ticket,
      } of claims) {
        await store.runs.start({ id, ticket, sessionId: id, tokenHash: `hash ${id}`, takesInput: false }, AT);
      }
      return Object.fromEntries(claims.map(({ run: { id }, ticket }) => [id, ticket]));
    },
    /** The stages that a task has entered, and who moved it. */
    events: (uid: string) =>
      store.connection.all(
        `SELECT from_stage AS "from", to_stage AS "to", moved_by IS NULL AS "byItself", run_id AS run
         FROM task_events WHERE task_uid = $1 ORDER BY seq`,
        [uid],
      ),
  };
}

/** Usage of a model, of so many tokens. */
export function usageOf(model: string, tokens: number, costUsd: number | null = null): CostedUsage {
  return {
    model,
    inputTokens: tokens,
    outputTokens: tokens / 10,
    cachedTokens: tokens / 2,
    costUsd,
    costSource: costUsd === null ? null : "reported",
  };
}

/** A turn of a run, and what it has used. */
interface UsedTurn {
  /** When it was started. */
  at: string;
  /** When it ended; it goes on without. */
  endedAt?: string;
  usage?: readonly CostedUsage[];
  source?: UsageSource;
  resources?: TurnResources;
}

/** A run with turns that have used something. The usage is told at the end of the turn, or as it starts. */
export async function usedRun(
  { runs }: Pick<Store, "runs">,
  changes: Partial<NewRun>,
  ...turns: readonly UsedTurn[]
): Promise<string> {
  const { id } = await runs.create(aRun(changes), turns[0]?.at ?? "");
  for (const [index, { at, endedAt, usage, source = "harness", resources }] of turns.entries()) {
    if (index > 0) {
      const creator = { uid: "ann", type: "user" as const, displayName: "Ann" };
      await runs.followUp({ id: newUuid(), runId: id, message: "More.", creator }, null, at);
    }
    const [claimed] = await runs.claim(1, LEASE, at);
    if (claimed?.run.id !== id) throw new Error("another run was claimed");
    const ticket = { id, ticket: claimed.ticket };
    await runs.start({ ...ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, at);
    if (usage) await runs.keepUsage(ticket, usage, source, endedAt ?? at);
    if (resources) await runs.keepResources(ticket, resources, endedAt ?? at);
    if (endedAt !== undefined)
      await runs.finish(ticket, { state: "SUCCEEDED", exitCode: 0, statusMessage: null }, endedAt);
  }
  return id;
}

/** Records a delivery under what its factory serves now; of a factory that is gone, as it was done before that. */
export async function recordDelivery(
  { deliveries, factories, connection }: Awaited<ReturnType<typeof aStore>>,
  delivery: AcceptableDelivery,
): Promise<Recorded> {
  const { factoryUid } = delivery;
  const sql = "SELECT generation FROM factories WHERE uid = $1";
  const found = await connection.first<{ generation: number }>(sql, [factoryUid]);
  if (!found) await factories.create({ ...aFactory(factoryUid), uid: factoryUid });
  const recorded = await deliveries.record({ ...delivery, generation: found?.generation ?? 0 });
  if (!found) await connection.run("DELETE FROM factories WHERE uid = $1", [factoryUid]);
  if (recorded.outcome === "Outdated") throw new Error("the factory has changed meanwhile");
  return recorded;
}

const WELL: Ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
const CREATOR = { uid: "ann", type: "user" as const, displayName: "Ann" };

/** A run at work in a store, with so many children that have not started. */
export async function aFamily(count: number) {
  const store = await aStore();
  const { runs, connection } = store;
  const parent = aRun({ title: "The parent" });
  await runs.create(parent, AT);
  await begin(runs);
  const children: string[] = [];
  for (let each = 1; each <= count; each += 1)
    children.push(await aChild(runs, parent, { title: `Child ${each}` }));

  const waits: Wait[] = [];

  async function claimOf(id: string) {
    const row = await connection.first<{ ticket: number }>("SELECT ticket FROM runs WHERE run_id = $1", [id]);
    return { id, ticket: row?.ticket ?? 0 };
  }

  return {
    ...store,
    parent: parent.id,
    children,
    claimOf,
    find: async () => runs.find(parent.id),
    addChild: (changes: Partial<NewRun> = {}) => aChild(runs, parent, changes),
    async wait(mode: WaitMode = "all", targets?: readonly string[], until = LATER) {
      const { turn = 0 } = (await runs.find(parent.id)) ?? {};
      const outcome = await runs.wait(
        { runId: parent.id, turn, mode, until, ...(targets ? { targets } : {}) },
        AT,
      );
      if ("refused" in outcome) return outcome;
      waits.push(outcome.wait);
      return { state: outcome.state, targets: outcome.wait.targets };
    },
    /** How the newest wait stands, or an earlier one. */
    waitState: async (wait = waits.at(-1)) => wait && runs.findWaitState(wait, AT),
    waits,
    /** Gives the parent the results of its newest wait, or of an earlier one. */
    async take(wait = waits.at(-1)) {
      if (wait) await runs.takeWait(wait, await runs.listWaited(wait.targets), AT);
    },
    finish: async (id: string, ending: Partial<Ending> = {}, at = AT) =>
      runs.finish(await claimOf(id), { ...WELL, ...ending }, at),
    /** Claims and starts whatever waits. */
    begin: () => begin(runs),
    say: (message: string) =>
      runs.followUp({ id: newUuid(), runId: parent.id, message, creator: CREATOR }, null, AT),
    /** What the parent was told, or is to be told. */
    told: async () => (await runs.listFollowUps(parent.id)).map(({ message }) => message),
  };
}

async function aChild(runs: RunStore, parent: { id: string }, changes: Partial<NewRun>): Promise<string> {
  const child = aRun({ ancestors: [parent.id], ...changes });
  await runs.create(child, AT);
  return child.id;
}

async function begin(runs: RunStore): Promise<void> {
  for (const { run, ticket } of await runs.claim(100, LEASE, AT))
    await runs.start(
      { id: run.id, ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false },
      AT,
    );
}

/** An event for an outbound webhook of the settings, `ops`. */
export function anEvent(change: Partial<NewOutboundMessage> = {}): NewOutboundMessage {
  return {
    id: newUuid(),
    cause: newUuid(),
    target: "settings.ops",
    fingerprint: "f1",
    ownerUid: null,
    factoryUid: null,
    runId: null,
    event: "run.ended",
    content: { type: "run.ended", timestamp: AT, factory: null, data: {} },
    at: AT,
    ...change,
  };
}

/** An outbox of outbound webhooks, in a store of its own. */
export async function anOutbox() {
  const store = await aStore();
  const { outbound } = store;
  const save = async (messages: NewOutboundMessage[]) =>
    outbound.saveFollowed({ from: (await outbound.findProgress()).seq, upTo: 1, messages, at: AT });
  return { ...store, save };
}
