import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { BASE } from "../../api/base.ts";
import { usageQuery, usageRowsQuery } from "../../api/usage-queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Switcher } from "../../parts/switcher.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { CostliestRuns } from "./costliest-runs.tsx";
import { DayChart } from "./day-chart.tsx";
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
          {factories.length > 1 && <UsageTable what="Factory" query={byFactory} />}
          <UsageTable what="Automation" query={byAutomation} />
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
