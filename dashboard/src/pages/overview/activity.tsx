import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { activityHistoryQuery } from "../../api/activity-queries.ts";
import { Section } from "../../parts/page.tsx";
import { Switcher } from "../../parts/switcher.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import styles from "./activity.module.css";
import { ActivityChart } from "./activity-chart.tsx";
import { DELIVERIES, RUNS } from "./chart-series.ts";
import { RANGES, rangeOf, utcOffset } from "./ranges.ts";

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
