import { type KeyboardEvent, type MouseEvent, useState } from "react";
import { useLocation } from "wouter";
import { BASE } from "../../api/base.ts";
import styles from "./activity-chart.module.css";
import { type ChartKind, totalOf } from "./chart-series.ts";
import type { Bucket } from "./ranges.ts";

const HEIGHT = 100;
const WIDTH = 24;
const GAP = 4;

interface BarsProps {
  kind: ChartKind;
  /** What a bar of full height stands for. */
  height: number;
  bars: readonly { bucket: Bucket; name: string; href: string }[];
}

/** The bars of a chart: one stop for the Tab key, in which the arrow keys go from bar to bar. */
export function Bars({ kind, height, bars }: BarsProps) {
  const [, navigate] = useLocation();
  const [reached, setReached] = useState(bars.length - 1);
  const current = Math.min(reached, bars.length - 1);
  const follow = (href: string) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (to === undefined || to < 0 || to >= bars.length) return;
    event.preventDefault();
    setReached(to);
    event.currentTarget.querySelectorAll("a")[to]?.focus();
  };
  return (
    <fieldset className={styles.bars} aria-label={`${kind.title} over time`} onKeyDown={move}>
      <svg viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        <title>{`${kind.title} over time`}</title>
        {bars.map(({ bucket, name, href }, place) => {
          const label = labelOf(kind, bucket, name);
          return (
            <a
              key={bucket.at}
              href={BASE + href}
              className={styles.bar}
              tabIndex={place === current ? 0 : -1}
              aria-label={label}
              onClick={follow(href)}
              onFocus={() => setReached(place)}
            >
              <title>{label}</title>
              <g transform={`translate(${place * WIDTH} 0)`}>
                <rect className={styles.ground} width={WIDTH} height={HEIGHT} />
                {partsOf(kind, bucket, height).map(({ series, y, size }) => (
                  <rect
                    key={series}
                    className={styles[series]}
                    x={GAP / 2}
                    y={y}
                    width={WIDTH - GAP}
                    height={size}
                  />
                ))}
              </g>
            </a>
          );
        })}
      </svg>
    </fieldset>
  );
}

function labelOf(kind: ChartKind, bucket: Bucket, name: string): string {
  const parts = kind.series
    .filter(({ of }) => of(bucket) > 0)
    .map((series) => `${series.of(bucket).toLocaleString()} ${series.name}`);
  const total = totalOf(kind, bucket);
  const sum = `${total.toLocaleString()} ${total === 1 ? kind.one : kind.many}`;
  return parts.length === 0 ? `${name}: ${sum}` : `${name}: ${sum} (${parts.join(", ")})`;
}

function partsOf({ series }: ChartKind, bucket: Bucket, height: number) {
  let top = HEIGHT;
  return series
    .filter(({ of }) => of(bucket) > 0)
    .map(({ kind, of }) => {
      const size = (of(bucket) / height) * HEIGHT;
      top -= size;
      return { series: kind, y: top, size };
    });
}
