import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models } from "../../api/models.ts";
import { costliestRunsQuery } from "../../api/usage-queries.ts";
import { Chip } from "../../parts/chip.tsx";
import { NameCell, TimeCell, WideCell } from "../../parts/tables/cells.tsx";
import { muted, right, wide } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";
import { RUN_TONES } from "../../parts/tones.ts";
import { spentText, tokenText, unpricedText } from "./usage-figures.ts";

const COLUMNS = [
  { title: "State" },
  { title: "Run" },
  { title: "Automation", isWide: true },
  { title: "Tokens", isWide: true, isRight: true },
  { title: "Cost", isRight: true },
  { title: "Created", isWide: true, isRight: true },
];

/** The runs of a period that have cost the most. */
export function CostliestRuns({ since }: { since: string }) {
  const runs = useQuery(costliestRunsQuery(since));
  return (
    <Listing
      title="Costliest runs"
      query={runs}
      columns={COLUMNS}
      empty={<EmptyState title="The cost of no run is known" />}
    >
      {(run) => <RunRow key={run.run_id} run={run} />}
    </Listing>
  );
}

function RunRow({ run }: { run: Models["RunSpend"] }) {
  const { run_id, title, state, automation, input_tokens, output_tokens } = run;
  return (
    <tr>
      <td>
        {state === null ? <Chip tone="grey">Deleted</Chip> : <Chip tone={RUN_TONES[state]}>{state}</Chip>}
      </td>
      <NameCell
        name={state === null ? "A deleted run" : <Link href={`/runs/${run_id}`}>{title || run_id}</Link>}
        notes={[unpricedText(run)]}
      />
      <WideCell>{automation}</WideCell>
      <td className={`${wide} ${right} ${muted}`}>{tokenText(input_tokens + output_tokens)}</td>
      <td className={right}>{spentText(run)}</td>
      <TimeCell at={run.created_at} otherwise="" isWide />
    </tr>
  );
}
