import type { ReactNode } from "react";
import styles from "./data-table.module.css";

interface DataTableProps {
  /** What the table holds, for who does not see it. */
  label: string;
  /** The heads of the columns. One that a phone has no room for is wide. */
  columns: readonly Column[];
  /** Rows of the table: `<tr>`. */
  children: ReactNode;
}

export interface Column {
  title: string;
  /** What stands there in place of the title. */
  head?: ReactNode;
  isWide?: boolean;
  isRight?: boolean;
}

/** A table. The cells of wide columns have the class `wide` too. */
export function DataTable({ label, columns, children }: DataTableProps) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, head = title, isWide, isRight }) => (
            <th key={title} scope="col" className={cellClass({ isWide, isRight })}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The class of a cell, as its column is. */
export function cellClass({
  isWide,
  isRight,
}: {
  isWide?: boolean | undefined;
  isRight?: boolean | undefined;
}) {
  return [isWide ? styles.wide : "", isRight ? styles.right : ""].join(" ");
}

export const wide = styles.wide ?? "";
export const right = styles.right ?? "";
export const main = styles.main ?? "";
export const roomy = styles.roomy ?? "";
export const muted = styles.muted ?? "";
