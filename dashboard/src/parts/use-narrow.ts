import { useSyncExternalStore } from "react";

/** The width below which tables leave out columns too. */
const query = window.matchMedia("(width < 720px)");

/** Whether the window is as narrow as that of a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(listen, () => query.matches);
}

function listen(listener: () => void): () => void {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
