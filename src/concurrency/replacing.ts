/** What replaces what went on under the same name. */
export interface Replacing {
  /** Begins something: aborts the signal of what was begun under this name before. */
  begin(name: string): AbortSignal;
  /** Says that what was begun with a signal is over. */
  end(name: string, signal: AbortSignal): void;
}

/** Has one thing at a time go on under each name: the last that was begun. */
export function createReplacing(): Replacing {
  const current = new Map<string, AbortController>();
  return {
    begin(name) {
      current.get(name)?.abort();
      const begun = new AbortController();
      current.set(name, begun);
      return begun.signal;
    },
    end(name, signal) {
      if (current.get(name)?.signal === signal) current.delete(name);
    },
  };
}
