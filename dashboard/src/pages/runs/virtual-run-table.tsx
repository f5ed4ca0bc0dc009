import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { Models } from "../../api/client.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { DataTable, wide } from "../../parts/tables/data-table.tsx";
import { RunCells, runColumns, runColumnsFor } from "../../parts/tables/run-cells.tsx";
import type { Selection } from "./use-selection.ts";
import styles from "./virtual-run-table.module.css";

type Run = Models["RunItem"];

/** As the style sheet has it: every row is as high as every other. */
const ROW_HEIGHT = 56;
const OVERSCAN = 12;
/** The next page is asked for when so few rows are left below. */
const NEAR_END = 20;

interface VirtualRunTableProps {
  runs: readonly Run[];
  query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  /** Which rows are selected; nothing for who may do nothing with them. */
  selection?: Selection | undefined;
}

/** A list of runs of any length: only the rows in view are in the page. */
export function VirtualRunTable({ runs, query, selection }: VirtualRunTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { factories } = useFactory();
  const virtualizer = useWindowVirtualizer({
    count: runs.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: frame.current?.offsetTop ?? 0,
    getItemKey: (index) => runs[index]?.run_id ?? index,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= runs.length - NEAR_END) void fetchNextPage();
  }, [last, runs.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  useStillness(runs, frame);

  const columns = runColumnsFor(runs, factories);
  const heads = [
    ...(selection
      ? [{ title: "Selected", isWide: true, head: <SelectAll {...selection} runs={runs} /> }]
      : []),
    ...runColumns(columns),
  ];
  const above = (rows[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const below = virtualizer.getTotalSize() - ((rows.at(-1)?.end ?? 0) - virtualizer.options.scrollMargin);
  return (
    <div ref={frame} className={styles.frame}>
      <DataTable label="Runs" columns={heads}>
        <Gap height={above} columns={heads.length} />
        {rows.map(({ index }) => {
          const run = runs[index];
          return (
            run && (
              <tr key={run.run_id} className={styles.row} aria-rowindex={index + 2}>
                {selection && (
                  <td className={`${wide} ${styles.select}`}>
                    <input
                      type="checkbox"
                      aria-label={`Select ${run.title || run.run_id}`}
                      checked={selection.has(run)}
                      onChange={() => {}}
                      onClick={({ shiftKey }) => selection.toggle(run, shiftKey ? runs : undefined)}
                    />
                  </td>
                )}
                <RunCells run={run} columns={columns} factories={factories} />
              </tr>
            )
          );
        })}
        <Gap height={below} columns={heads.length} />
      </DataTable>
    </div>
  );
}

function SelectAll({ runs, has, setAll }: Selection & { runs: readonly Run[] }) {
  const isAll = runs.length > 0 && runs.every(has);
  return (
    <input
      type="checkbox"
      aria-label="Select all loaded runs"
      checked={isAll}
      onChange={() => setAll(isAll ? [] : runs)}
    />
  );
}

/** Stands for the rows that are not in the page. */
function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className={styles.gap}>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

/** New runs come in at the top: who reads further down keeps what they read where it was. */
function useStillness(runs: readonly Run[], frame: React.RefObject<HTMLDivElement | null>): void {
  const firstId = useRef(runs[0]?.run_id);
  useLayoutEffect(() => {
    const place = runs.findIndex(({ run_id }) => run_id === firstId.current);
    firstId.current = runs[0]?.run_id;
    const isBelowTop = window.scrollY > (frame.current?.offsetTop ?? 0);
    if (place > 0 && isBelowTop) window.scrollBy({ top: place * ROW_HEIGHT, behavior: "instant" });
  }, [runs, frame]);
}
