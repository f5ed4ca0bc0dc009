import { useRef, useState } from "react";
import type { Models } from "../../api/client.ts";
import { rangeOf } from "./row-range.ts";

type Run = Models["RunItem"];

/** So many runs can be selected: what is done with them is done one by one. */
export const MAX_SELECTED = 200;

/** The runs that are selected. */
export interface Selection {
  runs: readonly Run[];
  has(run: Run): boolean;
  /** Selects a run or not. @param among the rows up to the one that was clicked before are selected with it */
  toggle(run: Run, among?: readonly Run[]): void;
  setAll(runs: readonly Run[]): void;
}

/** Which rows of a list are selected. @param listed the list, which tells how they are now */
export function useSelection(listed: readonly Run[]): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, Run>>(new Map());
  const anchor = useRef<string | undefined>(undefined);
  return {
    runs: [...selected.values()].map((run) => listed.find(({ run_id }) => run_id === run.run_id) ?? run),
    has: ({ run_id }) => selected.has(run_id),
    toggle(run, among) {
      const isOn = !selected.has(run.run_id);
      const rows = among ? rangeOf(among, anchor.current, run) : [run];
      anchor.current = run.run_id;
      setSelected((before) => {
        const next = new Map(before);
        for (const row of rows) {
          if (!isOn) next.delete(row.run_id);
          else if (next.size < MAX_SELECTED) next.set(row.run_id, row);
        }
        return next;
      });
    },
    setAll(runs) {
      anchor.current = undefined;
      setSelected(new Map(runs.slice(0, MAX_SELECTED).map((run) => [run.run_id, run])));
    },
  };
}
