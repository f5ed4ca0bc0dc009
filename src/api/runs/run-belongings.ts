import type { Question } from "../../runs/rules/agent-report.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { RunBelongings } from "./run-item.ts";

/** What belongs to runs, read together. Only blocked ones have a question to read. */
export async function belongingsOf(
  runs: readonly Run[],
  { runs: store }: { runs: Pick<RunStore, "listArtifacts" | "listUsage" | "listQuestions"> },
): Promise<(run: Run) => RunBelongings> {
  const ids = runs.map(({ id }) => id);
  const blocked = runs.filter(({ state }) => state === "BLOCKED").map(({ id }) => id);
  const none: Record<string, Question> = {};
  const [artifacts, usage, questions] = await Promise.all([
    store.listArtifacts(ids),
    store.listUsage(ids),
    blocked.length > 0 ? store.listQuestions(blocked) : none,
  ]);
  return ({ id }) => ({
    artifacts: artifacts[id] ?? [],
    usage: usage[id] ?? [],
    question: questions[id],
  });
}
