import { CloudOff } from "lucide-react";
import { useInterrupted } from "../live/interruption.ts";
import styles from "./note.module.css";

/** Says that the page does not hear of changes just now. It is there from the start, or screen readers would miss it. */
export function InterruptionNote() {
  const isInterrupted = useInterrupted();
  return (
    <div role="status">
      {isInterrupted && (
        <div className={styles.note}>
          <CloudOff size={16} aria-hidden />
          <p>Live updates are disconnected, so this page may be out of date. Reconnecting…</p>
        </div>
      )}
    </div>
  );
}
