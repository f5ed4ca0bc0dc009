import { type ComponentType, lazy, useState } from "react";
import { announce } from "../announcer.tsx";

/** A page, or a part of one, that is not in the first script. */
export interface Later<Props extends object = object> {
  Part: ComponentType<Props>;
  load(): Promise<void>;
}

/**
 * Something that is loaded when it is shown first, or before: React shows what stands for it in the meantime for 300 ms
 * at the least, also where it is there by then.
 */
export function later<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): Later<Props> {
  let loaded: ComponentType<Props> | undefined;
  const begin = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Lazy = lazy(begin);
  return {
    load: async () => void (await begin()),
    Part(props: Props) {
      // For as long as it is shown it stays the one that it was, so that it keeps its state.
      const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
      return <Shown {...props} />;
    },
  };
}

/** Opens something as soon as it is loaded: a window or a menu, which has nothing to show before. */
export async function openLater(part: Pick<Later, "load">, open: () => void): Promise<void> {
  try {
    await part.load();
  } catch {
    announce("The server is not responding. Reload the page, and try again.");
    return;
  }
  open();
}
