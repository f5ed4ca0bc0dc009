import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { Plot } from "../../parts/plot.tsx";
import styles from "./activity-chart.module.css";
import { Bars } from "./bars.tsx";
import { type ChartKind, totalOf } from "./chart-series.ts";
import { axisLabel, bucketName, type Range, roundHeight, SHARES } from "./ranges.ts";

interface ActivityChartProps {
  kind: ChartKind;
  range: Range;
  history: Models["ActivityHistory"];
}

/** Deliveries or runs over time, by how they ended. Each bar leads to its list; the numbers are in a table too. */
export function ActivityChart({ kind, range, history: { buckets, bucket_seconds } }: ActivityChartProps) {
  const height = roundHeight(Math.max(...buckets.map((bucket) => totalOf(kind, bucket))));
  const endOf = (at: string) => new Date(Date.parse(at) + bucket_seconds * 1_000).toISOString();
  const whole = { since: buckets[0]?.at ?? "", until: endOf(buckets.at(-1)?.at ?? "") };
  const share = Math.ceil(buckets.length / SHARES[range]);
  return (
    <Plot
      caption={<Totals kind={kind} buckets={buckets} hrefOf={(filter) => kind.hrefOf(whole, filter)} />}
      scale={[height.toLocaleString(), (height / 2).toLocaleString(), "0"]}
      axis={buckets
        .filter((_, place) => place % share === 0)
        .map(({ at }) => ({ key: at, text: axisLabel(range, at) }))}
      table={<NumberTable kind={kind} range={range} buckets={buckets} />}
    >
      <Bars
        kind={kind}
        height={height}
        bars={buckets.map((bucket) => ({
          bucket,
          name: bucketName(range, bucket.at),
          href: kind.hrefOf({ since: bucket.at, until: endOf(bucket.at) }),
        }))}
      />
    </Plot>
  );
}

interface TotalsProps {
  kind: ChartKind;
  buckets: Models["ActivityHistory"]["buckets"];
  hrefOf: (filter: Record<string, string>) => string;
}

/** The sums of the whole time, which also say what each colour means. */
function Totals({ kind, buckets, hrefOf }: TotalsProps) {
  const sum = (of: (bucket: (typeof buckets)[number]) => number) =>
    buckets.reduce((total, bucket) => total + of(bucket), 0);
  const all = sum((bucket) => totalOf(kind, bucket));
  return (
    <>
      <span className={styles.total}>
        <strong>{all.toLocaleString()}</strong> {all === 1 ? kind.one : kind.many}
      </span>
      {kind.series.map(({ kind: series, name, of, filter }) => {
        const count = sum(of);
        const words = (
          <>
            <span className={`${styles.mark} ${styles[series]}`} aria-hidden="true" />
            <strong>{count.toLocaleString()}</strong> {name}
          </>
        );
        return filter && count > 0 ? (
          <Link key={series} className={styles.total} href={hrefOf(filter)}>
            {words}
          </Link>
        ) : (
          <span key={series} className={styles.total}>
            {words}
          </span>
        );
      })}
    </>
  );
}

function NumberTable({ kind, range, buckets }: Pick<TotalsProps, "kind" | "buckets"> & { range: Range }) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>{kind.title} over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {kind.series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <tr key={bucket.at}>
              <th scope="row">{bucketName(range, bucket.at)}</th>
              {kind.series.map(({ name, of }) => (
                <td key={name}>{of(bucket)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
