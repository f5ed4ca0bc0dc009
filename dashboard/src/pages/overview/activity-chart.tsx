import type { Models } from "../../api/client.ts";
import styles from "./activity-chart.module.css";

type Hour = Models["ActivityHour"];
type Series = "accepted" | "duplicates" | "rejected" | "runs";

const STACK: readonly { series: Series; name: string }[] = [
  { series: "accepted", name: "Accepted" },
  { series: "duplicates", name: "Duplicate" },
  { series: "rejected", name: "Rejected" },
];
const HEIGHT = 96;
const WIDTH = 24;
const BAR = 9;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** Deliveries by outcome beside runs, an hour a place; the numbers are in a table for who does not see bars. */
export function ActivityChart({ hours }: { hours: readonly Hour[] }) {
  const highest = Math.max(1, ...hours.map((hour) => Math.max(deliveriesOf(hour), hour.runs)));
  const total = (of: (hour: Hour) => number) => hours.reduce((sum, hour) => sum + of(hour), 0);
  return (
    <figure>
      <figcaption className={styles.caption}>
        <Total name={total(deliveriesOf) === 1 ? "delivery" : "deliveries"} count={total(deliveriesOf)} />
        {STACK.map(({ series, name }) => (
          <Total key={series} name={name.toLowerCase()} count={total((hour) => hour[series])} mark={series} />
        ))}
        <Total
          name={total((hour) => hour.runs) === 1 ? "run" : "runs"}
          count={total((hour) => hour.runs)}
          mark="runs"
        />
        <Total name="failed" count={total((hour) => hour.runs_failed)} />
      </figcaption>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${hours.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {hours.map((hour, place) => (
          <g key={hour.at} transform={`translate(${place * WIDTH} 0)`}>
            <title>{`${clock.format(new Date(hour.at))}: ${deliveriesOf(hour)} deliveries, ${hour.runs} runs`}</title>
            <rect className={styles.hour} width={WIDTH - 2} height={HEIGHT} />
            {stackOf(hour, highest).map(({ series, y, height }) => (
              <rect key={series} className={styles[series]} x={1} y={y} width={BAR} height={height} />
            ))}
            <rect
              className={styles.runs}
              x={BAR + 3}
              y={HEIGHT - (hour.runs / highest) * HEIGHT}
              width={BAR}
              height={(hour.runs / highest) * HEIGHT}
            />
          </g>
        ))}
      </svg>
      <div className={styles.axis} aria-hidden="true">
        {[hours[0], hours[Math.floor(hours.length / 2)], hours.at(-1)].map(
          (hour) => hour && <span key={hour.at}>{clock.format(new Date(hour.at))}</span>,
        )}
      </div>
      <HourTable hours={hours} />
    </figure>
  );
}

function Total({ name, count, mark }: { name: string; count: number; mark?: Series }) {
  return (
    <span className={styles.total}>
      {mark && <span className={`${styles.mark} ${styles[mark]}`} aria-hidden="true" />}
      <strong>{count.toLocaleString()}</strong> {name}
    </span>
  );
}

function HourTable({ hours }: { hours: readonly Hour[] }) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>Deliveries and runs per hour</caption>
        <thead>
          <tr>
            {["Hour", "Accepted", "Duplicate", "Rejected", "Runs", "Runs failed"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour.at}>
              <th scope="row">{clock.format(new Date(hour.at))}</th>
              <td>{hour.accepted}</td>
              <td>{hour.duplicates}</td>
              <td>{hour.rejected}</td>
              <td>{hour.runs}</td>
              <td>{hour.runs_failed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function stackOf(hour: Hour, highest: number) {
  let top = HEIGHT;
  return STACK.map(({ series }) => {
    const height = (hour[series] / highest) * HEIGHT;
    top -= height;
    return { series, y: top, height };
  });
}

function deliveriesOf({ accepted, duplicates, rejected }: Hour): number {
  return accepted + duplicates + rejected;
}
