import styles from "./scroll-text.module.css";

/** A text as it is written, of any length: what does not fit scrolls, for which the keyboard can reach it. */
export function ScrollText({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}
