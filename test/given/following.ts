import { ALWAYS_LEADER } from "../../src/concurrency/rounds.ts";
import { silentLog } from "../../src/log.ts";
import type { Factory } from "../../src/reconcile/running-factory.ts";
import type { NewRun, Run } from "../../src/runs/run.ts";
import { followEvents } from "../../src/runs/triggers/follow-events.ts";
import { onFinished } from "./cleanup.ts";
import { automationWith, FACTORY } from "./definition.ts";
import { aStoreOf } from "./factory.ts";
import type { Files } from "./folder.ts";
import { aFactory } from "./served.ts";
import { waitFor } from "./server.ts";
import { AT, aQuery, aRun, LEASE } from "./store.ts";

/** A factory with these automations, each by the filter of its trigger on ends of runs. */
export function onEnds(automations: Record<string, string>): Files {
  const files = Object.entries(automations).map(([name, filter]) => [
    `automations/${name}.md`,
    automationWith(`triggers: [{ provider: factory, event: run_ended, filter: ${filter} }]\n`),
  ]);
  return { ...FACTORY, ...Object.fromEntries(files) };
}

/** A store with the factory `f`, the definitions of which come into force when the test says so, and what follows its events. */
export async function following() {
  const store = await aStoreOf("f");
  let served: Factory[] = [];
  const refused: string[] = [];

  /** Begins to follow. @returns how to have it look at what was committed, and to end it */
  function start() {
    let rounds = 0;
    let release = () => {};
    const follower = followEvents({
      leadership: ALWAYS_LEADER,
      store: store.triggers,
      factories: { list: () => served as never, find: () => served[0] as never },
      nextCommit: (_, signal) =>
        new Promise((resolve) => {
          rounds += 1;
          release = resolve;
          signal.addEventListener("abort", () => resolve());
        }),
      onRuns: () => {},
      onRefused: (refusal) => refused.push(refusal),
      log: silentLog,
      now: () => new Date(),
    });
    onFinished(follower.stop);
    return {
      follower,
      /** Resolves when a round has ended that began after the call. */
      async look() {
        const before = rounds;
        await waitFor(() => {
          release();
          return rounds >= before + 2;
        });
      },
    };
  }

  return {
    store,
    refused,
    start,
    /** Brings a definition into force; what follows events then has to be told, as the server does. */
    async serve(files: Files) {
      const [before] = served;
      served = [await aFactory(files, { at: AT, uid: "f", ...(before ? { before } : {}) })];
      return served;
    },
    create: (changes: Partial<NewRun> = {}) => store.runs.create(aRun({ factoryUid: "f", ...changes }), AT),
    /** Has a run end, cancelled. */
    async end(changes: Partial<NewRun> = {}): Promise<Run> {
      const run = await store.runs.create(aRun({ factoryUid: "f", ...changes }), new Date().toISOString());
      await store.runs.cancel(run.id, new Date().toISOString());
      return run;
    },
    /** Has a run be claimed and started. @returns its ticket */
    async begin(changes: Partial<NewRun> = {}) {
      const { id } = await store.runs.create(aRun({ factoryUid: "f", ...changes }), AT);
      const [claim] = await store.runs.claim(1, LEASE, AT);
      const ticket = { id, ticket: claim?.ticket ?? 0 };
      const session = { sessionId: id, tokenHash: id, takesInput: false };
      await store.runs.start({ ...ticket, ...session }, AT);
      return ticket;
    },
    /** What events have started: the automation, and the run that has caused it. */
    async started() {
      const page = await store.runs.list(aQuery({}, { limit: 2_000, sort: "created_at" }));
      return page.runs.filter(({ execution }) => execution.trigger);
    },
  };
}
