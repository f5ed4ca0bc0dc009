import { type ComponentType, lazy, useState } from "react";

/** A page that is not in the first script. */
export interface LaterPage {
  Page: ComponentType;
  load(): Promise<void>;
}

/**
 * A page that is loaded when it is shown first, or before: React shows what stands for it in the meantime for 300 ms at
 * the least, also where the page is there by then.
 */
export function later(load: () => Promise<ComponentType>): LaterPage {
  let loaded: ComponentType | undefined;
  const begin = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Lazy = lazy(begin);
  return {
    load: async () => void (await begin()),
    Page() {
      // For as long as it is shown it stays the one that it was, so that it keeps its state.
      const [Page] = useState<ComponentType>(() => loaded ?? Lazy);
      return <Page />;
    },
  };
}
