import type { EntryKind, TreeEntry } from "./revision.ts";

const KINDS: Readonly<Record<string, EntryKind>> = { "120000": "symlink", "160000": "submodule" };

/**
 * Reads what `git ls-tree -r -z -l` prints: `<mode> <type> <oid> <size padded>\t<path>\0` an entry.
 * @throws Error as git has it, for an object that the repository lacks: its size is `BAD`
 */
export function parseTreeListing(listing: string): TreeEntry[] {
  return listing
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const tab = line.indexOf("\t");
      const [mode = "", , id = "", size = "0"] = line.slice(0, tab).split(/ +/);
      const kind = KINDS[mode] ?? "file";
      if (size === "BAD") throw new Error(`fatal: bad object ${id}, the content of ${line.slice(tab + 1)}`);
      return {
        path: line.slice(tab + 1),
        kind,
        id,
        size: kind === "file" ? Number(size) : 0,
        ...(mode === "100755" ? { executable: true } : {}),
      };
    });
}
