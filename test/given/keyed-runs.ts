import type { WhileRunning } from "../../src/definitions/definition.ts";
import { newUuid } from "../../src/id.ts";
import type { RunKey } from "../../src/runs/rules/run-key.ts";
import type { Claim, NewRun } from "../../src/runs/run.ts";
import { aStoreOf, recordDelivery } from "./factory.ts";
import { AT, aDelivery, aRun, LEASE } from "./store.ts";

/** An instant so many seconds after AT. */
export const atSecond = (seconds: number) => new Date(Date.parse(AT) + seconds * 1_000).toISOString();
const SUCCEEDED = { state: "SUCCEEDED", exitCode: 0, statusMessage: null } as const;
const BY = { by: { uid: "ann", type: "user", displayName: "Ann" } } as const;

export interface KeyedOptions {
  key?: string | null;
  /** In seconds after AT. */
  at?: number;
  body?: string;
  run?: Partial<NewRun>;
  /** Another policy than that of the store's automation, as a new definition brings it. */
  policy?: WhileRunning | "none";
  /** Whether a new definition has taken the automation its window. */
  isWindowGone?: boolean;
}

export interface KeyedRules {
  policy: WhileRunning | "none";
  debounce?: RunKey["debounce"];
  forgetAfterMs?: number;
  maxTurns?: number;
}

/** A store whose only automation has a key, and what happens to its runs. */
export async function keyedStore({ policy, debounce, forgetAfterMs = 3_600_000, maxTurns = 50 }: KeyedRules) {
  const store = await aStoreOf("f");
  const { runs } = store;
  let count = 0;

  /** A delivery with a key. @returns what has become of it */
  async function deliver({
    key = "k",
    at = count,
    body = `{"n":${count}}`,
    run = {},
    policy: own = policy,
    isWindowGone = false,
  }: KeyedOptions = {}) {
    count += 1;
    const id = newUuid();
    const keyed: RunKey = {
      key,
      ...(debounce && !isWindowGone ? { debounce } : {}),
      ...(own === "none" ? {} : { concurrency: { whileRunning: own, forgetAfterMs, maxTurns } }),
      message: { text: `About ${id}`, author: "webhook ci" },
    };
    const of = { factoryUid: "f", automationUid: "a", title: `Run ${count}`, prompt: `Act on ${id}`, ...run };
    const attachments = [
      { name: "event-payload.json", mimeType: "application/json", deliveryBody: true } as const,
    ];
    const payload = Buffer.from(body);
    const recorded = await recordDelivery(
      store,
      aDelivery({
        id,
        factoryUid: "f",
        time: atSecond(at),
        payload,
        runs: [aRun({ ...of, attachments, keyed })],
      }),
    );
    const [found] = await runs.listDispositions(id);
    return {
      id,
      runId: found?.runId ?? "",
      kind: found?.kind,
      isHeld: found?.isHeld,
      effects: recorded.effects,
    };
  }

  async function claim(at = count): Promise<Claim[]> {
    return runs.claim(100, LEASE, atSecond(at));
  }

  /** Claims what can be claimed, and starts its agents. @returns the ids */
  async function start(at = count): Promise<string[]> {
    const claims = await claim(at);
    for (const { run, ticket } of claims) {
      const turn = { id: run.id, ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false };
      await runs.start(turn, atSecond(at));
    }
    return claims.map(({ run }) => run.id);
  }

  async function finish(id: string, at = count, ending: Parameters<typeof runs.finish>[1] = SUCCEEDED) {
    const row = await store.connection.first<{ ticket: number }>(
      "SELECT ticket FROM runs WHERE run_id = $1",
      [id],
    );
    return runs.finish({ id, ticket: row?.ticket ?? 0 }, ending, atSecond(at));
  }

  /** A run that is at work, as one of the columns of the matrix. */
  async function standing(column: "running" | "blocked" | "resting" | "parent"): Promise<string> {
    const { runId } = await deliver();
    await start();
    if (column === "running") return runId;
    if (column === "parent") {
      const child = aRun({ factoryUid: "f", ancestors: [runId] });
      await runs.create(child, atSecond(count));
      const until = atSecond(count + 3_600);
      await runs.wait({ runId, turn: 1, mode: "all", until, targets: [child.id] } as never, atSecond(count));
      await finish(runId);
      return runId;
    }
    await runs.block({ id: runId, turn: 1 }, "Which one?", atSecond(count));
    if (column === "resting") await finish(runId);
    return runId;
  }

  const stateOf = async (id: string) => (await runs.find(id))?.state;
  const dismiss = (id: string, at = count) => runs.dismiss(id, BY, atSecond(at));
  return { ...store, deliver, claim, start, finish, standing, stateOf, dismiss };
}
