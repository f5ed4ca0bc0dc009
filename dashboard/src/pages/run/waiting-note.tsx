import type { Run } from "../../api/models.ts";
import { counted } from "../../parts/counted.ts";
import { Section } from "../../parts/page.tsx";
import styles from "./run-page.module.css";

/** Why a run has not started yet, and how many start before it. */
export function WaitingNote({ run: { waiting } }: { run: Run }) {
  return (
    <Section title="Waiting">
      <p>{waiting?.message ?? "The run waits for a worker."}</p>
      {waiting && waiting.reason !== "window" && <p className={styles.line}>{placeText(waiting.place)}</p>}
    </Section>
  );
}

/** No more runs before this one are counted. */
const MAX_PLACE = 100;

function placeText(place: number): string {
  if (place === 0) return "This run starts next.";
  if (place >= MAX_PLACE) return `At least ${MAX_PLACE} runs start before this one.`;
  return `${counted(place, "run")} ${place === 1 ? "starts" : "start"} before this one.`;
}
