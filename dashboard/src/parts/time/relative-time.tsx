import { useSyncExternalStore } from "react";
import { exactTime, timeSince } from "./time-text.ts";

const TICK_MS = 15_000;

/** One clock for all times on the page. */
let tick = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  tick = Date.now();
  for (const listener of listeners) listener();
}, TICK_MS);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How long ago something was, with the exact time in the reader's zone on approach. */
export function RelativeTime({ at }: { at: string }) {
  useSyncExternalStore(subscribe, () => tick);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {timeSince(at)}
    </time>
  );
}
