import { newUid } from "../../src/id.ts";
import type { NewRun } from "../../src/runs/run.ts";
import type { TaskEditor } from "../../src/runs/tasks/task.ts";
import { aFactory } from "./factory.ts";
import { AT, aRun, aStore, LEASE } from "./store.ts";

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
