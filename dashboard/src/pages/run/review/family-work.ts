import type { Models, Run } from "../../../api/models.ts";
import { agentOf } from "../../../parts/runs/run-agent.ts";

type Artifact = Models["Artifact"];

/** A patch that a run of a family has left. */
export interface FoundPatch {
  run: Run;
  /** The run that has left the same bytes first. */
  maker: Run;
  artifact: Artifact;
}

/**
 * The patches of a family, the newest first, each once: agents hand them to each other. Of those that a run has left at one
 * path in several turns the last one counts.
 */
export function patchesOf(runs: readonly Run[]): FoundPatch[] {
  const left = runs
    .flatMap((run) => newestAtEachPath(run).map((artifact) => ({ run, artifact })))
    .sort((a, b) => a.artifact.created_at.localeCompare(b.artifact.created_at));
  const found = new Map<string, FoundPatch>();
  for (const { run, artifact } of left) {
    const digest = artifact.data.sha256 ?? artifact.data.artifact_uid;
    const { maker = run } = found.get(digest) ?? {};
    // Put at the end again: the newest one of the same bytes tells when they were handed on.
    found.delete(digest);
    found.set(digest, { run, artifact, maker });
  }
  return [...found.values()].reverse();
}

function newestAtEachPath({ artifacts = [] }: Run): Artifact[] {
  const patches = artifacts.filter(({ data }) => data.kind === "patch");
  return [...new Map(patches.map((artifact) => [artifact.data.filepath, artifact])).values()];
}

/** The patches that a person is asked about: those of the run that asks, else the last one of its family. */
export function patchesAskedAbout(run: Run, patches: readonly FoundPatch[]): readonly FoundPatch[] {
  const own = patches.filter((patch) => patch.run.run_id === run.run_id);
  return own.length > 0 ? own : patches.slice(0, 1);
}

/** What an agent of the family has found out about the change, in the last of its runs. */
export interface Check {
  run: Run;
  agent: string;
  rounds: number;
  says: string;
  /** A file that holds its verdict in a word. */
  verdict: string | undefined;
}

/** What the agents say that were asked to look at a change and have made none, in the order in which they began. */
export function checksOf(run: Run, runs: readonly Run[]): Check[] {
  const checks = new Map<string, Check>();
  for (const each of runs) {
    if (each.run_id === run.run_id || each.run_id === each.root_run_id) continue;
    if (each.artifacts?.some(({ data }) => data.kind === "patch")) continue;
    const agent = agentOf(each);
    const says = firstLine(each.answer ?? each.status_message?.message ?? "");
    const verdict = each.artifacts?.findLast(({ data }) => isVerdict(data))?.data.artifact_uid;
    checks.set(agent, { run: each, agent, rounds: (checks.get(agent)?.rounds ?? 0) + 1, says, verdict });
  }
  return [...checks.values()];
}

/** A verdict is one word. */
const MAX_VERDICT_BYTES = 100;

function isVerdict({ filename, size_bytes: size = 0 }: Artifact["data"]): boolean {
  return /^verdict(?:\.txt)?$/.test(filename ?? "") && size <= MAX_VERDICT_BYTES;
}

export function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "") ?? "";
}

/** What all runs have cost together, as far as it is known. */
export function costOf(runs: readonly Pick<Run, "cost_usd">[]): number | undefined {
  const costs = runs.flatMap(({ cost_usd }) => cost_usd ?? []);
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}
