import type { Tree } from "../git/revision.ts";

/** A tree whose contents are read once for all who want them: to check it, and to store it. */
export function readOnce(tree: Tree): Tree {
  const known = new Map<string, Buffer>();
  return {
    ...tree,
    async read(wanted) {
      const unknown = wanted.filter(({ id }) => !known.has(id));
      if (unknown.length > 0) for (const [id, bytes] of await tree.read(unknown)) known.set(id, bytes);
      return new Map(
        wanted.flatMap(({ id }) => {
          const bytes = known.get(id);
          return bytes ? [[id, bytes]] : [];
        }),
      );
    },
  };
}
