import { useSyncExternalStore } from "react";
import styles from "./announcer.module.css";

interface Message {
  id: number;
  text: string;
}

const SHOWN_MS = 5_000;
let messages: readonly Message[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Says something for a moment, to eyes and to screen readers, when these have nothing else to say. */
export function announce(text: string): void {
  lastId += 1;
  const id = lastId;
  change([...messages.filter((message) => message.text !== text), { id, text }]);
  setTimeout(() => change(messages.filter((message) => message.id !== id)), SHOWN_MS);
}

/** Where announcements appear: there from the start, or screen readers would not hear of them. */
export function Announcer() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
  return (
    <div className={styles.announcer} role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
