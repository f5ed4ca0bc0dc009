import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { activityHistoryQuery } from "../../api/activity-queries.ts";
import { factoriesQuery, latestRunsQuery, restingFactoriesQuery } from "../../api/queries.ts";
import { DeleteFactory } from "../../frame/delete-factory.tsx";
import { PauseButton } from "../../frame/pause-button.tsx";
import { counted } from "../../parts/counted.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Switcher } from "../../parts/switcher.tsx";
import { ActionCell } from "../../parts/tables/cells.tsx";
import { DataTable, main, muted } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { RunTable } from "../../parts/tables/run-table.tsx";
import styles from "./activity.module.css";
import { ActivityChart } from "./activity-chart.tsx";
import { DELIVERIES, RUNS } from "./chart-series.ts";
import { FactoryHealth } from "./factory-health.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { NeedsAPerson } from "./needs-a-person.tsx";
import { RANGES, rangeOf, utcOffset } from "./ranges.ts";

const LATEST_RUNS = { limit: 8, sort_by: "created_at" } as const;

/** Everything at a glance: what needs a person first, then how each factory stands and what has been going on. */
export function Overview() {
  const factories = useQuery(factoriesQuery);
  const runs = useQuery(latestRunsQuery(LATEST_RUNS));
  return (
    <Page title="Overview" actions={<PauseButton what={{}} name="the server" />}>
      <NeedsAPerson />
      <FirstSteps factories={factories.data} />
      <Loaded query={factories}>{(all) => all.length > 0 && <FactoryHealth factories={all} />}</Loaded>
      <Activity />
      <Section title="Latest runs" isFlush aside={<Link href="/runs">All runs</Link>}>
        <Loaded query={runs}>
          {(items) =>
            items.length > 0 ? (
              <RunTable runs={items} label="Latest runs" />
            ) : (
              <EmptyState title="No runs yet">
                A run starts when a delivery passes an automation's filter. Post a delivery to a webhook, or
                send a test delivery from the webhook's page.
              </EmptyState>
            )
          }
        </Loaded>
      </Section>
      <RestingFactories />
    </Page>
  );
}

/** What came in and what ran, over a time that stands in the address. */
export function Activity() {
  const [search, setSearch] = useSearchParams();
  const range = rangeOf(search.get("range"));
  const history = useQuery({
    ...activityHistoryQuery(range, utcOffset()),
    placeholderData: keepPreviousData,
  });
  const choose = (value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        next.set("range", value);
        return next;
      },
      { replace: true },
    );
  return (
    <Section
      title="Activity"
      aside={<Switcher label="Time range" value={range} onChange={choose} options={RANGES} />}
    >
      <Loaded query={history} rows={5}>
        {(data) => (
          <div className={styles.charts}>
            <ActivityChart kind={DELIVERIES} range={shownRange(data, range)} history={data} />
            <ActivityChart kind={RUNS} range={shownRange(data, range)} history={data} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

/** While another range is loaded, the chart is still that of the one before. */
function shownRange(
  { buckets, bucket_seconds }: { buckets: readonly unknown[]; bucket_seconds: number },
  range: ReturnType<typeof rangeOf>,
) {
  const loaded = { 60: "1h", 3600: buckets.length > 24 ? "7d" : "24h", 86400: "30d" }[bucket_seconds];
  return rangeOf(loaded ?? range);
}

const COLUMNS = [
  { title: "Factory" },
  { title: "Source" },
  { title: "Effect" },
  { title: "", isRight: true },
];

/** Factories that are on record and that no source serves; nothing where there are none. */
export function RestingFactories() {
  const { data: resting = [] } = useQuery(restingFactoriesQuery);
  if (resting.length === 0) return null;
  return (
    <Section title="Factories without a source" isFlush>
      <DataTable label="Factories without a source" columns={COLUMNS}>
        {resting.map(({ uid, name, source, webhooks, waiting_runs }) => (
          <tr key={uid}>
            <td className={main}>{name}</td>
            <td className={muted}>{source.url ?? source.path}</td>
            <td className={muted}>
              {counted(webhooks, "webhook")} {webhooks === 1 ? "returns" : "return"} 404
              {waiting_runs > 0 &&
                `, ${counted(waiting_runs, "run")} ${waiting_runs === 1 ? "waits" : "wait"}`}
            </td>
            <ActionCell>
              <DeleteFactory factory={{ uid, name }} isSmall />
            </ActionCell>
          </tr>
        ))}
      </DataTable>
    </Section>
  );
}
