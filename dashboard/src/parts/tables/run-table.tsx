import { useQuery } from "@tanstack/react-query";
import type { Models } from "../../api/client.ts";
import { factoriesQuery } from "../../api/queries.ts";
import { DataTable } from "./data-table.tsx";
import { RunCells, runColumns, runColumnsFor } from "./run-cells.tsx";

/** A few runs. The long list of all of them is virtualised, and has the same rows. */
export function RunTable({ runs, label }: { runs: readonly Models["RunItem"][]; label: string }) {
  const { data: factories = [] } = useQuery(factoriesQuery);
  const columns = runColumnsFor(runs, factories);
  return (
    <DataTable label={label} columns={runColumns(columns)}>
      {runs.map((run) => (
        <tr key={run.run_id}>
          <RunCells run={run} columns={columns} factories={factories} />
        </tr>
      ))}
    </DataTable>
  );
}
