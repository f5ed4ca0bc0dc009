import type { ReactNode } from "react";
import styles from "./plot.module.css";

interface PlotProps {
  /** What the chart adds up to. */
  caption: ReactNode;
  /** What stands beside the chart: at its top, half-way up, and at its bottom. */
  scale: readonly [string, string, string];
  /** What stands below the chart, from left to right, at equal widths. */
  axis: readonly { key: string; text: string }[];
  /** The svg of the chart. */
  children: ReactNode;
  /** The numbers of the chart, for those who cannot see it. */
  table: ReactNode;
}

/** A chart with its sums above it, and its scale and labels around it. */
export function Plot({ caption, scale: [top, middle, bottom], axis, children, table }: PlotProps) {
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>{caption}</figcaption>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden="true">
          <span>{top}</span>
          <span>{middle}</span>
          <span>{bottom}</span>
        </div>
        {children}
        <div className={styles.axis} aria-hidden="true">
          {axis.map(({ key, text }) => (
            <span key={key}>{text}</span>
          ))}
        </div>
      </div>
      {table}
    </figure>
  );
}
