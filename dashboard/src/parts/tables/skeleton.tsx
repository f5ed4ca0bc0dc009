import styles from "./skeleton.module.css";

/** Stands where something is being loaded; it shows only when that takes a moment. */
export function Skeleton({ rows = 3, label = "Loading" }: { rows?: number; label?: string }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all the same and never move
        <span key={row} />
      ))}
    </div>
  );
}
