import { useSyncExternalStore } from "react";

/** How pages look: as the system says, or always the one or the other. */
export const APPEARANCES = ["system", "light", "dark"] as const;
export type Appearance = (typeof APPEARANCES)[number];

const KEY = "millrace-appearance";
const listeners = new Set<() => void>();

/** What this browser was told last. */
export function appearance(): Appearance {
  const stored = localStorage.getItem(KEY);
  return APPEARANCES.find((each) => each === stored) ?? "system";
}

/** Changes how pages look, and remembers it in this browser. */
export function setAppearance(chosen: Appearance): void {
  localStorage.setItem(KEY, chosen);
  applyAppearance();
  for (const listener of listeners) listener();
}

/** Makes the page look as this browser was told. */
export function applyAppearance(): void {
  const { dataset } = document.documentElement;
  const chosen = appearance();
  if (chosen === "system") delete dataset.theme;
  else dataset.theme = chosen;
}

export function useAppearance(): Appearance {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, appearance);
}
