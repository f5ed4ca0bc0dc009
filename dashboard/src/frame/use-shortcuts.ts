import { useEffect, useLayoutEffect, useRef } from "react";
import { hasSingleKeys, isPaletteKey } from "./key-hints.ts";

interface Shortcuts {
  onPalette: () => void;
  onHelp: () => void;
  /** After `g`: the letter of a page. */
  onGo: (letter: string) => void;
}

/** A letter after `g` belongs to it for so long. */
const SEQUENCE_MS = 1_500;

/** The keys that work on every page: never while someone writes, with a modifier, or in a window over the page. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  // Before the page is painted: no key is lost of someone who sees it.
  useLayoutEffect(() => {
    let beganAt = Number.NEGATIVE_INFINITY;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.isComposing || hasWindowOpen()) return;
      if (isPaletteKey(event)) {
        event.preventDefault();
        current.current.onPalette();
        return;
      }
      const isModified = event.ctrlKey || event.metaKey || event.altKey;
      if (isModified || isWriting(event.target) || !hasSingleKeys()) return;
      const isSecond = event.timeStamp - beganAt < SEQUENCE_MS;
      beganAt = Number.NEGATIVE_INFINITY;
      if (isSecond) current.current.onGo(event.key);
      else if (event.key === "g") beganAt = event.timeStamp;
      else if (event.key === "?") current.current.onHelp();
      else if (event.key !== "/" || !focusListSearch()) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

export function hasWindowOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}

/** What takes letters for itself. */
const WRITTEN_IN = 'input, textarea, select, [contenteditable="true"], [role="textbox"], [role="combobox"]';

export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(WRITTEN_IN) !== null;
}

/** Goes to the field that searches the list of the page. @returns whether there is one */
function focusListSearch(): boolean {
  const fields = [
    ...document.querySelectorAll<HTMLInputElement>("main search input, main input[type='search']"),
  ];
  const shown = fields.filter((field) => field.checkVisibility() && ["text", "search"].includes(field.type));
  const isSearch = ({ type, labels }: HTMLInputElement) =>
    type === "search" || /^search/i.test(labels?.[0]?.textContent ?? "");
  const field = shown.find(isSearch) ?? shown[0];
  field?.focus();
  field?.select();
  return field !== undefined;
}
