import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Models } from "../../api/models.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { NameCell, WideCell } from "../../parts/tables/cells.tsx";
import { muted, right, wide } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";
import { durationText } from "../../parts/time/time-text.ts";
import { familyCostText, measureOf, spentText, tokenText, unpricedText } from "./usage-figures.ts";
import styles from "./usage-table.module.css";

type Row = Models["UsageRow"];

interface UsageTableProps {
  /** What the rows are of: Automation. */
  what: string;
  query: UseQueryResult<Row[]>;
  /** Whether agents' time is known by row; turns are not divided by model. */
  hasWork?: boolean;
  /** Whether the runs of a row have children that count for other rows. */
  hasFamilies?: boolean;
}

/** Usage by one thing, the costliest first, with a bar for its share. */
export function UsageTable({ what, query, hasWork = true, hasFamilies = false }: UsageTableProps) {
  const rows = query.data ?? [];
  const measure = measureOf(rows);
  const highest = Math.max(0, ...rows.map(measure.of));
  return (
    <Listing
      title={`By ${what.toLowerCase()}`}
      query={query}
      columns={[
        { title: what },
        { title: "Runs", isRight: true },
        { title: "Tokens in", isWide: true, isRight: true },
        { title: "Tokens out", isWide: true, isRight: true },
        ...(hasWork ? [{ title: "Worked", isWide: true, isRight: true }] : []),
        { title: "Share", isWide: true },
        { title: hasFamilies ? "Own cost" : "Cost", isRight: true },
        ...(hasFamilies ? [{ title: "With children", isRight: true }] : []),
      ]}
      empty={<EmptyState title="Nothing was used in this period" />}
    >
      {(row) => (
        <tr key={`${row.uid} ${row.key}`}>
          <NameCell name={<RowName row={row} />} notes={[notesOf(row)]} />
          <td className={`${right} ${muted}`}>{row.runs.toLocaleString("en")}</td>
          <TokenCells row={row} />
          {hasWork && (
            <td className={`${wide} ${right} ${muted}`}>{durationText((row.work_seconds ?? 0) * 1_000)}</td>
          )}
          <WideCell>
            <Share value={highest > 0 ? measure.of(row) / highest : 0} />
          </WideCell>
          <td className={right}>{spentText(row)}</td>
          {hasFamilies && <td className={right}>{familyCostText(row)}</td>}
        </tr>
      )}
    </Listing>
  );
}

/** A link to the automation, while it is there: what is deleted has no page, and goes by the uid or its last name. */
function RowName({ row: { key, uid, factory } }: { row: Row }): ReactNode {
  if (factory === null || uid === null) return key;
  return <Link href={factoryPath(factory, "automations", uid)}>{key}</Link>;
}

function notesOf(row: Row): string | undefined {
  if (row.runs > 0 && row.runs_without_usage === row.runs) return "Its harness reports no usage";
  return unpricedText(row);
}

function TokenCells({ row }: { row: Row }) {
  const { input_tokens, output_tokens, cached_tokens, runs, runs_without_usage } = row;
  const isUnknown = runs > 0 && runs_without_usage === runs;
  const cell = `${wide} ${right} ${muted}`;
  return (
    <>
      <td className={cell} title={cached_tokens > 0 ? `${tokenText(cached_tokens)} cached` : undefined}>
        {isUnknown ? "unknown" : tokenText(input_tokens)}
      </td>
      <td className={cell}>{isUnknown ? "unknown" : tokenText(output_tokens)}</td>
    </>
  );
}

/** @param value from 0 to 1 */
function Share({ value }: { value: number }) {
  return (
    <span className={styles.share} aria-hidden="true">
      <span style={{ width: `${Math.max(value * 100, value > 0 ? 1 : 0)}%` }} />
    </span>
  );
}
