import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { MAX_REPORTS, type ReportKind, refusedReport } from "../../../src/runs/rules/agent-report.ts";
import { AT, aRun, aStore, LEASE } from "../../given/store.ts";

const KINDS = Object.keys(MAX_REPORTS) as ReportKind[];

/** A run at work that may make one more report of each kind, and what makes one. */
async function nearlySilenced() {
  const { runs, connection } = await aStore();
  const run = await runs.create(aRun(), AT);
  const [claim] = await runs.claim(1, LEASE, AT);
  const ticket = claim?.ticket ?? 0;
  await runs.start({ id: run.id, ticket, sessionId: newUuid(), tokenHash: "hash", takesInput: true }, AT);
  for (const kind of KINDS)
    await connection.run("INSERT INTO run_report_counts (run_id, kind, count) VALUES ($1, $2, $3)", [
      run.id,
      kind,
      MAX_REPORTS[kind] - 1,
    ]);
  const turn = { ...run, turn: 1 };
  const report: Record<ReportKind, (text: string) => Promise<unknown>> = {
    question: (text) => runs.block(turn, text, AT),
    answer: (text) => runs.reportAnswer(turn, text, AT),
    status: (text) => runs.reportStatus(turn, text, AT),
    note: (text) => runs.writeNote(turn, { text, isAppended: true, expected: undefined, agent: "boss" }, AT),
  };
  return { run, runs, report };
}

test.each(KINDS)("the last %s that a run may make is kept, and the next is refused", async (kind) => {
  const { run, runs, report } = await nearlySilenced();
  expect(await report[kind]("The last one.")).not.toBe("too many");
  expect(await report[kind]("One too many.")).toBe("too many");
  const stored = JSON.stringify([
    await runs.find(run.id),
    await runs.findNote(run),
    await runs.listMessages(run.id, { limit: 100 }),
  ]);
  expect(stored).toContain("The last one.");
  expect(stored).not.toContain("One too many.");
});

test.each([
  ["question", "different questions", "Decide with what you know"],
  ["answer", "reports of its answer", "artifacts/answer.md"],
  ["status", "reports of its status", "without a status line"],
  ["note", "changes to the note", "artifacts/"],
] as const)("the refusal of a %s says what was counted and what to do instead", (kind, counted, remedy) => {
  const { message, remedy: told } = refusedReport({ id: newUuid() } as never, kind, "too many");
  expect(message).toContain(`${MAX_REPORTS[kind]} ${counted}`);
  expect(told).toContain(remedy);
});
