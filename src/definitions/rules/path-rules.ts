import { FILE_START, type Problem } from "../problem.ts";
import type { TreeRule } from "../tree.ts";

/**
 * Where letters in another case, or an accent written in another way, make no other file, a checkout holds only one of
 * the two, and nobody can say which.
 */
export const pathsDifferEverywhere: TreeRule = (tree) => {
  const first = new Map<string, string>();
  return tree.present.flatMap(({ path }): Problem[] => {
    const folded = path.normalize("NFC").toLowerCase();
    const other = first.get(folded);
    if (other === undefined) {
      first.set(folded, path);
      return [];
    }
    const message = `is the same file as ${other} on file systems that do not distinguish the names: rename one`;
    return [{ code: "FF_DUPLICATE_PATH", message, path, ...FILE_START, severity: "warning" }];
  });
};
