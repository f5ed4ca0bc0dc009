import { useEffect, useSyncExternalStore } from "react";

/** A file while someone writes it. */
export interface Draft {
  path: string;
  /** What it was made of: nothing for a new file. */
  etag: string | undefined;
  base: string;
  content: string;
}

interface Kept {
  /** Of something new: what stands for the star in its path. */
  name: string;
  files: readonly Draft[];
}

/**
 * What is being written, by the page that it is written on. It outlives the page: anyone who goes and looks at
 * something else, or has to sign in again, finds it where it was.
 */
const kept = new Map<string, Kept>();
const listeners = new Set<() => void>();

function keep(key: string, drafts: Kept | undefined): void {
  if (drafts) kept.set(key, drafts);
  else kept.delete(key);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export interface Drafts {
  name: string;
  files: readonly Draft[];
  /** Whether anything is not as it was. */
  isChanged: boolean;
  rename(name: string): void;
  change(path: string, part: Partial<Draft>): void;
  /** Goes back to how everything was. */
  discard(): void;
}

/**
 * The drafts of a page.
 * @param given what they begin with, and are as long as no one has written anything; a star in the path of a new file
 *   stands for its name
 */
export function useDrafts(key: string, given: readonly Draft[]): Drafts {
  const now = useSyncExternalStore(listen, () => kept.get(key)) ?? { name: "", files: given };
  const { name } = now;
  const isChanged = name !== "" || now.files.some(({ base, content }) => base !== content);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isChanged]);
  return {
    name,
    files: now.files.map((draft) => ({ ...draft, path: pathOf(draft, name) })),
    isChanged,
    rename: (next) => keep(key, { ...(kept.get(key) ?? now), name: next }),
    change(path, part) {
      const current = kept.get(key) ?? now;
      const files = current.files.map((draft) =>
        pathOf(draft, current.name) === path ? { ...draft, ...part } : draft,
      );
      keep(key, { ...current, files });
    },
    discard: () => keep(key, undefined),
  };
}

/** As long as it has no name, it is checked under one. */
function pathOf({ path, etag }: Draft, name: string): string {
  return etag === undefined ? path.replace("*", name || "new") : path;
}
