import type { Models } from "../../api/models.ts";
import { counted } from "../../parts/counted.ts";
import { Plot } from "../../parts/plot.tsx";
import styles from "./day-chart.module.css";
import { type Measure, measureOf, spentText, sumOf, tokenText, unpricedText } from "./usage-figures.ts";
import { daysOf, dayText } from "./usage-spans.ts";

const HEIGHT = 100;
const WIDTH = 24;
const GAP = 4;
/** As many labels stand below the chart at most. */
const LABELS = 6;

/** What each day of a period has cost. The numbers are in a table too. */
export function DayChart({ report }: { report: Models["UsageReport"] }) {
  const { usage } = report;
  const measure = measureOf(usage);
  const rowOf = new Map(usage.map((row) => [row.key, row]));
  const days = daysOf(report).map((day) => ({ day, row: rowOf.get(day) }));
  const highest = Math.max(...days.map(({ row }) => (row ? measure.of(row) : 0)));
  const share = Math.ceil(days.length / LABELS);
  return (
    <Plot
      caption={<Totals report={report} />}
      scale={[measure.text(highest), measure.text(highest / 2), measure.text(0)]}
      axis={days
        .filter((_, place) => place % share === 0)
        .map(({ day }) => ({ key: day, text: dayText(day) }))}
      table={<DayTable days={days} />}
    >
      <svg
        viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${measure.name} by day`}
      >
        {days.map(({ day, row }, place) => (
          <g key={day} className={styles.day} transform={`translate(${place * WIDTH} 0)`}>
            <title>{`${dayText(day)}: ${dayWords(row, measure)}`}</title>
            <rect className={styles.ground} width={WIDTH} height={HEIGHT} />
            <Bar size={row && highest > 0 ? (measure.of(row) / highest) * HEIGHT : 0} />
          </g>
        ))}
      </svg>
    </Plot>
  );
}

function Bar({ size }: { size: number }) {
  if (size === 0) return null;
  return <rect className={styles.bar} x={GAP / 2} y={HEIGHT - size} width={WIDTH - GAP} height={size} />;
}

function Totals({ report: { usage } }: { report: Models["UsageReport"] }) {
  const sum = sumOf(usage);
  const unpriced = unpricedText(sum);
  return (
    <>
      <span>
        <strong>{spentText(sum)}</strong> {sum.cost_usd === null ? "cost" : "known cost"}
      </span>
      <span>
        <strong>{tokenText(sum.input_tokens)}</strong> tokens in
        {sum.cached_tokens > 0 && ` (${tokenText(sum.cached_tokens)} cached)`}
      </span>
      <span>
        <strong>{tokenText(sum.output_tokens)}</strong> tokens out
      </span>
      {unpriced !== undefined && <span>{unpriced}</span>}
    </>
  );
}

function dayWords(row: Models["UsageRow"] | undefined, measure: Measure): string {
  if (!row) return "nothing";
  const value = measure.of(row);
  return `${row.cost_usd === null && measure.name === "Cost" ? "unknown cost" : measure.text(value)}, ${counted(row.runs, "run")}`;
}

function DayTable({ days }: { days: readonly { day: string; row: Models["UsageRow"] | undefined }[] }) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>Usage by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Cost</th>
            <th scope="col">Tokens</th>
            <th scope="col">Runs</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, row }) => (
            <tr key={day}>
              <th scope="row">{dayText(day)}</th>
              <td>{row ? spentText(row) : "$0.00"}</td>
              <td>{row ? row.input_tokens + row.output_tokens : 0}</td>
              <td>{row?.runs ?? 0}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
