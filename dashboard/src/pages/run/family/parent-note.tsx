import { Link } from "wouter";
import type { Run } from "../../../api/models.ts";
import { RUN_WORDS } from "../../../parts/tones.ts";
import styles from "./parent-note.module.css";

/** Says that the run that started this one did not succeed: nobody may be there for its result. */
export function ParentNote({ run: { parent, trigger } }: { run: Run }) {
  // An event has started it, and perhaps just because that run failed.
  if (!parent || trigger || !["FAILED", "ERROR", "CANCELLED"].includes(parent.state)) return null;
  return (
    <p className={styles.note} role="note">
      The run that started this one ended as {RUN_WORDS[parent.state].toLowerCase()}:{" "}
      <Link href={`/runs/${parent.run_id}`}>{parent.title || parent.run_id}</Link>
    </p>
  );
}
