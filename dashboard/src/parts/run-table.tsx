import { Link } from "wouter";
import type { Models } from "../api/client.ts";
import { Chip } from "./chip.tsx";
import { DataTable, main, muted, right, wide } from "./data-table.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { RUN_TONES } from "./tones.ts";

const COLUMNS = [
  { title: "State" },
  { title: "Run" },
  { title: "Source", isWide: true },
  { title: "Created", isWide: true, isRight: true },
];

/** A few runs. The long list of all of them is virtualised and has its own rows. */
export function RunTable({ runs, label }: { runs: readonly Models["RunItem"][]; label: string }) {
  return (
    <DataTable label={label} columns={COLUMNS}>
      {runs.map((run) => (
        <tr key={run.run_id}>
          <td>
            <Chip tone={RUN_TONES[run.state]}>{run.state}</Chip>
          </td>
          <td className={main}>
            <Link href={`/runs/${run.run_id}`}>{run.title || run.run_id}</Link>
          </td>
          <td className={`${wide} ${muted}`}>{run.source}</td>
          <td className={`${wide} ${right} ${muted}`}>
            <RelativeTime at={run.created_at} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
