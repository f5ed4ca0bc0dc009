import type { FamilyRun } from "../../../api/models.ts";

/** A run with those that it has started. */
export interface FamilyNode {
  run: FamilyRun;
  children: FamilyNode[];
}

/** Runs as a tree, oldest first. One whose parent was deleted stands at the top. */
export function familyTree(runs: readonly FamilyRun[]): FamilyNode[] {
  const nodes = new Map(runs.map((run) => [run.run_id, { run, children: [] as FamilyNode[] }]));
  const roots: FamilyNode[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.run.parent_run_id ?? "");
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

/** The runs below a run, however deep. */
export function descendantsOf(runs: readonly FamilyRun[], id: string): FamilyRun[] {
  const below = runs.filter(({ parent_run_id }) => parent_run_id === id);
  return below.flatMap((run) => [run, ...descendantsOf(runs, run.run_id)]);
}
