import { newUuid } from "../../src/id.ts";
import type { Wait, WaitMode } from "../../src/runs/rules/wait.ts";
import type { Ending, NewRun } from "../../src/runs/run.ts";
import type { RunStore } from "../../src/runs/run-store.ts";
import { AT, aRun, aStore, LATER, LEASE } from "./store.ts";

const WELL: Ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
const ANN = { uid: "ann", type: "user" as const, displayName: "Ann" };

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
      runs.followUp({ id: newUuid(), runId: parent.id, message, creator: ANN }, null, AT),
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
