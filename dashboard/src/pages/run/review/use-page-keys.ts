import { useEffect, useRef } from "react";
import { hasSingleKeys } from "../../../frame/key-hints.ts";
import { hasWindowOpen, isWriting } from "../../../frame/use-shortcuts.ts";

/** Keys that work while a page is shown, under the same conditions as those that work on every page. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // The frame listens first: what it has taken, such as the second key after `g`, is done.
      if (event.defaultPrevented || event.repeat || event.isComposing || hasWindowOpen()) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || !hasSingleKeys())
        return;
      const run = current.current[event.key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
