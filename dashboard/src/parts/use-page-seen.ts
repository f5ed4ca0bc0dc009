import { useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** Whether someone can see the page: its tab is in front, and its window not put away. */
export function usePageSeen(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === "visible");
}
