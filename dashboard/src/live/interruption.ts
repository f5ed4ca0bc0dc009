import { useSyncExternalStore } from "react";

/** A connection that is back so soon was not missed. */
const PATIENCE_MS = 2_000;

let isInterrupted = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: boolean): void {
  isInterrupted = next;
  for (const listener of listeners) listener();
}

/** Notes whether changes are heard of. */
export function setInterrupted(isLost: boolean): void {
  if (!isLost) {
    clearTimeout(timer);
    timer = undefined;
    change(false);
  } else timer ??= setTimeout(() => change(true), PATIENCE_MS);
}

/** Whether nothing has been heard of changes for a while, so that what is shown may be old. */
export function useInterrupted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isInterrupted,
  );
}
