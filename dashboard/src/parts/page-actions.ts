import { createContext, useContext, useEffect, useRef } from "react";

/** Something that can be done on the page that is shown. */
export interface PageAction {
  name: string;
  run: () => void;
}

const offered = new Map<symbol, () => PageAction>();

/** Whether a button stands at the top of a page, among its actions. */
export const AmongPageActions = createContext(false);

/** Offers an action for as long as what calls this is shown; one without a name is not offered. */
export function usePageAction(name: string | undefined, run: () => void): void {
  const current = useRef(run);
  useEffect(() => {
    current.current = run;
  });
  useEffect(() => {
    if (name === undefined) return;
    const id = Symbol(name);
    offered.set(id, () => ({ name, run: () => current.current() }));
    return () => void offered.delete(id);
  }, [name]);
}

/** Whether what calls this is offered as an action of its page. */
export function useIsPageAction(): boolean {
  return useContext(AmongPageActions);
}

/** What the page that is shown offers. */
export function pageActions(): PageAction[] {
  return [...offered.values()].map((action) => action());
}
