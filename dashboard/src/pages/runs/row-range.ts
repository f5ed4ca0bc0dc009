import type { Models } from "../../api/models.ts";

type Run = Models["RunItem"];

/** The rows between two, in any order; only the last one when the first is not there. */
export function rangeOf(rows: readonly Run[], from: string | undefined, to: Run): readonly Run[] {
  const places = [from, to.run_id].map((id) => rows.findIndex(({ run_id }) => run_id === id));
  if (places.includes(-1)) return [to];
  return rows.slice(Math.min(...places), Math.max(...places) + 1);
}
