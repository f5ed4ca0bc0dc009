import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef } from "react";
import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { Chip } from "../../parts/chip.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/data-table.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { durationText } from "../../parts/time-text.ts";
import { RUN_TONES } from "../../parts/tones.ts";
import styles from "./virtual-run-table.module.css";

type Run = Models["RunItem"];

const COLUMNS = [
  { title: "State" },
  { title: "Run" },
  { title: "Source", isWide: true },
  { title: "Duration", isWide: true, isRight: true },
  { title: "Created", isWide: true, isRight: true },
];
/** As the style sheet has it: every row is as high as every other. */
const ROW_HEIGHT = 44;
const OVERSCAN = 12;
/** The next page is asked for when so few rows are left below. */
const NEAR_END = 20;

interface VirtualRunTableProps {
  runs: readonly Run[];
  query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
}

/** A list of runs of any length: only the rows in view are in the page. */
export function VirtualRunTable({ runs, query }: VirtualRunTableProps) {
  const frame = useRef<HTMLDivElement>(null);
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

  const above = (rows[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const below = virtualizer.getTotalSize() - ((rows.at(-1)?.end ?? 0) - virtualizer.options.scrollMargin);
  return (
    <div ref={frame} className={styles.frame}>
      <DataTable label="Runs" columns={COLUMNS}>
        <Gap height={above} />
        {rows.map(({ index }) => {
          const run = runs[index];
          return run && <RunRow key={run.run_id} run={run} place={index + 2} />;
        })}
        <Gap height={below} />
      </DataTable>
    </div>
  );
}

function RunRow({ run, place }: { run: Run; place: number }) {
  return (
    <tr className={styles.row} aria-rowindex={place}>
      <td>
        <Chip tone={RUN_TONES[run.state]}>{run.state}</Chip>
      </td>
      <td className={`${main} ${styles.title}`}>
        <Link href={`/runs/${run.run_id}`}>{run.title || run.run_id}</Link>
      </td>
      <td className={`${wide} ${muted}`}>{run.source}</td>
      <td className={`${wide} ${right} ${muted}`}>{tookText(run)}</td>
      <td className={`${wide} ${right} ${muted}`}>
        <RelativeTime at={run.created_at} />
      </td>
    </tr>
  );
}

/** Stands for the rows that are not in the page. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr className={styles.gap}>
      <td colSpan={COLUMNS.length} style={{ height, padding: 0 }} />
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

function tookText({ started_at, finished_at }: Run): string {
  if (!started_at || !finished_at) return "";
  return durationText(Date.parse(finished_at) - Date.parse(started_at));
}
