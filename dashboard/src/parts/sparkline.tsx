import styles from "./sparkline.module.css";

interface SparklineProps {
  /** One for each hour, the oldest first. */
  counts: readonly number[];
  /** Those of them that went wrong. */
  failed: readonly number[];
  /** What is counted, for example `Runs`. */
  what: string;
  /** What is said of those that went wrong, for example `failed`. */
  failing: string;
}

const HEIGHT = 24;
const WIDTH = 5;
const GAP = 1;

/** The hours of a day as bars; who does not see them is told the sums and the busiest hour. */
export function Sparkline({ counts, failed, what, failing }: SparklineProps) {
  const highest = Math.max(1, ...counts);
  const heightOf = (count = 0) => (count === 0 ? 0 : Math.max(2, (count / highest) * HEIGHT));
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${counts.length * WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={inWords(counts, failed, what, failing)}
    >
      <title>{inWords(counts, failed, what, failing)}</title>
      <rect className={styles.ground} y={HEIGHT - 1} width={counts.length * WIDTH} height={1} />
      {counts.map((count, place) => {
        const x = place * WIDTH;
        const bad = heightOf(failed[place]);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
          <g key={place}>
            <rect
              className={styles.good}
              x={x}
              y={HEIGHT - heightOf(count)}
              width={WIDTH - GAP}
              height={heightOf(count)}
            />
            <rect className={styles.bad} x={x} y={HEIGHT - bad} width={WIDTH - GAP} height={bad} />
          </g>
        );
      })}
    </svg>
  );
}

function inWords(
  counts: readonly number[],
  failed: readonly number[],
  what: string,
  failing: string,
): string {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const total = sum(counts);
  if (total === 0) return `${what} in the last ${counts.length} hours: none`;
  const busiest = Math.max(...counts);
  return `${what} in the last ${counts.length} hours: ${total.toLocaleString()}, ${sum(failed).toLocaleString()} ${failing}, at most ${busiest.toLocaleString()} in an hour`;
}
