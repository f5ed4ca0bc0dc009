import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { BASE } from "../../api/base.ts";
import type { Models } from "../../api/models.ts";
import { costliestRunsQuery, usageQuery, usageRowsQuery } from "../../api/usage-queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Chip } from "../../parts/chip.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { RunChip } from "../../parts/runs/run-chip.tsx";
import { Switcher } from "../../parts/switcher.tsx";
import { NameCell, TimeCell, WideCell } from "../../parts/tables/cells.tsx";
import { muted, right, wide } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { DayChart } from "./day-chart.tsx";
import { familyCostText, spentText, tokenText, unpricedText } from "./usage-figures.ts";
import { SPANS, spanOf } from "./usage-spans.ts";
import { UsageTable } from "./usage-table.tsx";

/** What runs have used and cost, over a time that stands in the address. */
export function Usage() {
  const [search, setSearch] = useSearchParams();
  const span = spanOf(search.get("since"));
  const { factories } = useFactory();
  const days = useQuery(usageQuery("day", span));
  const byFactory = useQuery({ ...usageRowsQuery("factory", span), enabled: factories.length > 1 });
  const byAutomation = useQuery(usageRowsQuery("automation", span));
  const byModel = useQuery(usageRowsQuery("model", span));
  const choose = (since: string) => setSearch({ since }, { replace: true });
  return (
    <Page title="Usage" lead={<Lead />}>
      <Section
        title="By day"
        aside={<Switcher label="Period" value={span} onChange={choose} options={SPANS} />}
      >
        <Loaded query={days} rows={5}>
          {(report) => (report.usage.length === 0 ? <NothingUsed /> : <DayChart report={report} />)}
        </Loaded>
      </Section>
      {days.data?.usage.length !== 0 && (
        <>
          {factories.length > 1 && <UsageTable what="Factory" query={byFactory} hasFamilies />}
          <UsageTable what="Automation" query={byAutomation} hasFamilies />
          <UsageTable what="Model" query={byModel} hasWork={false} />
          <CostliestRuns since={span} />
        </>
      )}
    </Page>
  );
}

function Lead() {
  return (
    <>
      Costs are what harnesses report, and otherwise the tokens times the price of the model. Days are in UTC.
      See{" "}
      <a href={`${BASE}/docs/usage.md`} target="_blank" rel="noreferrer">
        Usage
      </a>
      .
    </>
  );
}

function NothingUsed() {
  return (
    <EmptyState title="Nothing was used in this period">
      When runs end, this page shows their tokens, what they cost and how long they worked.
    </EmptyState>
  );
}

const COLUMNS = [
  { title: "State" },
  { title: "Run" },
  { title: "Automation", isWide: true },
  { title: "Tokens", isWide: true, isRight: true },
  { title: "Own cost", isRight: true },
  { title: "With children", isRight: true },
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
      <td>{state === null ? <Chip tone="grey">Deleted</Chip> : <RunChip state={state} />}</td>
      <NameCell
        name={state === null ? "A deleted run" : <Link href={`/runs/${run_id}`}>{title || run_id}</Link>}
        notes={[unpricedText(run)]}
      />
      <WideCell>{automation}</WideCell>
      <td className={`${wide} ${right} ${muted}`}>{tokenText(input_tokens + output_tokens)}</td>
      <td className={right}>{spentText(run)}</td>
      <td className={right}>{familyCostText(run)}</td>
      <TimeCell at={run.created_at} otherwise="" isWide />
    </tr>
  );
}
