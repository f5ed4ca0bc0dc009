import type { Run, RunStore } from "../../runs/run.ts";
import type { RunBelongings } from "./run-item.ts";

/** What belongs to runs, read together. */
export async function belongingsOf(
  runs: readonly Run[],
  { runs: store }: { runs: Pick<RunStore, "listArtifacts" | "listUsage"> },
): Promise<(run: Run) => RunBelongings> {
  const ids = runs.map(({ id }) => id);
  const [artifacts, usage] = await Promise.all([store.listArtifacts(ids), store.listUsage(ids)]);
  return ({ id }) => ({ artifacts: artifacts[id] ?? [], usage: usage[id] ?? [] });
}
