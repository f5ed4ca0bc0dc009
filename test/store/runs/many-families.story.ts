import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { NO_CAPS } from "../../../src/runs/caps.ts";
import type { Claim, Ending } from "../../../src/runs/run.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

const FAMILIES = 1_000;
const CHILDREN = 9;
/** So many runs execute at once. */
const CAP = 8;
/** After so many claims, another automation asks for a run. */
const OTHERS_EVERY = 500;
const WELL: Ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };

/** Every first turn of a parent starts its children and waits for them; every other turn ends. */
async function families() {
  const store = await aStore();
  const { runs } = store;
  // Nothing here is about what a crash leaves: 40,000 transactions need not wait for the disk.
  store.connection.execute("PRAGMA synchronous = OFF");
  const parents = new Set<string>();
  for (let each = 0; each < FAMILIES; each += 1) {
    const parent = aRun({ automationUid: "families" });
    parents.add(parent.id);
    await runs.create(parent, AT);
  }
  return {
    ...store,
    parents,
    async turn({ run, ticket }: Claim): Promise<void> {
      await runs.start(
        { id: run.id, ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false },
        AT,
      );
      if (parents.has(run.id) && run.turn === 1) {
        for (let each = 0; each < CHILDREN; each += 1)
          await runs.create(aRun({ ancestors: [run.id], automationUid: null }), AT);
        const wait = await runs.wait({ runId: run.id, turn: run.turn, mode: "all", until: LATER }, AT);
        expect(wait).toMatchObject({ state: "waiting" });
      }
      await runs.finish({ id: run.id, ticket }, WELL, AT);
    },
  };
}

test("1,000 families of 10 runs end on a server that executes 8 at once, and no other run is left behind", async () => {
  const { runs, parents, turn, connection } = await families();
  /** Of each run of another automation: after how many claims it was created, and how many may be claimed before it. */
  const others = new Map<string, { createdAfter: number; atMost: number }>();
  const late: object[] = [];
  let othersClaimed = 0;
  const olderThan = async () => {
    const row = await connection.first<{ runs: number }>(
      "SELECT COUNT(*) AS runs FROM runs WHERE state IN ('QUEUED', 'INPROGRESS', 'CLAIMED')",
    );
    return row?.runs ?? 0;
  };
  let claims = 0;
  for (;;) {
    const claimed = await runs.claim(CAP, LEASE, AT, { ...NO_CAPS, automations: { families: CAP } });
    if (claimed.length === 0) break;
    for (const claim of claimed) {
      claims += 1;
      const other = others.get(claim.run.id);
      if (other) {
        othersClaimed += 1;
        const passedBy = claims - other.createdAfter;
        if (passedBy > other.atMost) late.push({ ...other, passedBy });
      }
      await turn(claim);
      if (claims % OTHERS_EVERY !== 0) continue;
      // What is older than it: runs that wait for their first turn or work, and parents that come back for their second.
      const atMost = (await olderThan()) + CAP;
      const created = aRun({ automationUid: "other" });
      others.set(created.id, { createdAfter: claims, atMost });
      await runs.create(created, AT);
    }
  }
  const states = await connection.all<{ state: string; runs: number }>(
    "SELECT state, COUNT(*) AS runs FROM runs GROUP BY state",
  );
  expect(states).toEqual([{ state: "SUCCEEDED", runs: FAMILIES * (1 + CHILDREN) + others.size }]);
  expect(claims).toBe(FAMILIES * (2 + CHILDREN) + others.size);
  const turns = await connection.first<{ turns: number }>(
    "SELECT MAX(turn) AS turns FROM runs WHERE run_id IN (SELECT run_id FROM run_wait_targets)",
  );
  expect(turns).toEqual({ turns: 2 });
  expect(parents.size).toBe(FAMILIES);
  expect(othersClaimed).toBe(others.size);
  expect(late).toEqual([]);
}, 300_000);
