import type { ReactNode } from "react";
import styles from "./chip.module.css";

/** Grey waits, blue works, green is good, amber needs a person, red has failed. */
export type Tone = "grey" | "blue" | "green" | "amber" | "red";

/** Each tone has a shape too, so that it is told without its colour. */
const SHAPES: Readonly<Record<Tone, string>> = {
  grey: "M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3Zm0 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z",
  blue: "M5 3.5 12 8l-7 4.5z",
  green: "m3 8.4 1.5-1.5 2.2 2.2 4.8-4.8L13 5.8l-6.3 6.3z",
  amber: "M8 2.5 14 13H2Zm-.8 4v3h1.6v-3Zm0 4v1.4h1.6v-1.4Z",
  red: "m4.6 3.2 3.4 3.4 3.4-3.4 1.4 1.4L9.4 8l3.4 3.4-1.4 1.4L8 9.4l-3.4 3.4-1.4-1.4L6.6 8 3.2 4.6z",
};

/** A word for how something stands, with its colour and shape. */
export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`${styles.chip} ${styles[tone]}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SHAPES[tone]} />
      </svg>
      {children}
    </span>
  );
}
