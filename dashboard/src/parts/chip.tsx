import type { ReactNode } from "react";
import styles from "./chip.module.css";

/** Grey waits, blue works, green is good, amber needs a person, red has failed. */
export type Tone = "grey" | "blue" | "green" | "amber" | "red";

/** Each tone has a shape too, so that it is told without its colour. */
const SHAPES: Readonly<Record<Tone, string>> = {
  grey: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6Z",
  blue: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6Zm-1.6 2.6 4.4 2.8-4.4 2.8z",
  green:
    "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6ZM4.8 8.1 6 6.9l1.3 1.3 2.9-2.9 1.2 1.2-4.1 4.1z",
  amber: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-.9 3h1.8v5H7.1zm0 6.4h1.8V12H7.1z",
  red: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-2.3 3.6L8 6.9l2.3-2.3 1.1 1.1L9.1 8l2.3 2.3-1.1 1.1L8 9.1l-2.3 2.3-1.1-1.1L6.9 8 4.6 5.7z",
};

/** A word for how something stands, with its colour and shape. */
export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`${styles.chip} ${styles[tone]}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SHAPES[tone]} fillRule="evenodd" />
      </svg>
      {children}
    </span>
  );
}
