import { type GitLimits, gitOutput } from "./open-git.ts";
import { type EntryKind, SourceError, type TreeEntry } from "./revision.ts";

/**
 * Where a listing ends. A commit of a few kilobytes can hold the same folders in folders ten levels deep and so have more
 * files than any memory could list.
 */
export interface ListingLimits {
  entries: number;
  bytes: number;
}

/** Above every limit of a definition: what has more is refused for that by whoever loads it. */
export const DEFINITION_LISTING: ListingLimits = { entries: 20_000, bytes: 48 * 1024 * 1024 };
/** Above every repository that people work on. */
export const REPOSITORY_LISTING: ListingLimits = { entries: 1_000_000, bytes: 256 * 1024 * 1024 };

/**
 * The files below a tree, in git's order, as many as the limits allow.
 * @param treeish a commit, or `commit:folder`
 * @param limits with the only folders that are listed, relative to the root
 * @throws SourceError `GIT_REFUSED` when its paths are longer than any that are used
 */
export async function listTree(
  treeish: string,
  environment: Record<string, string>,
  most: ListingLimits,
  { folders, ...limits }: GitLimits & { folders?: readonly string[] | undefined } = {},
): Promise<TreeEntry[]> {
  const inside = folders?.filter(isInside) ?? [];
  if (folders && inside.length === 0) return [];
  let room = { ...most };
  const isEnough = (piece: Buffer) => {
    room = { entries: room.entries - countOf(0, piece), bytes: room.bytes - piece.length };
    return room.entries <= 0 || room.bytes <= 0;
  };
  const listing = await gitOutput(
    ["ls-tree", "-r", "-z", "-l", "--full-tree", "--end-of-options", treeish, ...inside],
    // A name that a stranger chose is no pattern.
    { ...limits, environment: { ...environment, GIT_LITERAL_PATHSPECS: "1" }, isEnough },
  );
  if (room.bytes <= 0 && room.entries > 0) {
    throw new SourceError(
      "GIT_REFUSED",
      `The paths of the files at ${treeish} are too long to list: remove these files from the branch.`,
    );
  }
  // Of an entry that is cut off, nothing is known.
  return parseTreeListing(listing.toString("utf8", 0, listing.lastIndexOf(0) + 1)).slice(0, most.entries);
}

/**
 * Refuses a commit that git cannot take apart in memory that it may take: checking it out and merging it need some for each file,
 * and whoever can push a few kilobytes decides how many files there are.
 * @throws SourceError `GIT_REFUSED` when it has more files than any repository that people work on, or longer paths
 */
export async function refuseHugeTree(
  treeish: string,
  environment: Record<string, string>,
  limits: GitLimits = {},
): Promise<void> {
  const room = { ...REPOSITORY_LISTING };
  const isEnough = (piece: Buffer) => {
    room.entries -= countOf(0, piece);
    room.bytes -= piece.length;
    return room.entries < 0 || room.bytes < 0;
  };
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "--end-of-options", treeish];
  await gitOutput(args, { ...limits, environment, isEnough, isOnlyLookedAt: true });
  if (room.entries >= 0 && room.bytes >= 0) return;
  const { entries, bytes } = REPOSITORY_LISTING;
  throw new SourceError(
    "GIT_REFUSED",
    `Commit ${treeish.slice(0, 12)} has more than ${entries} files, or paths of more than ${bytes} bytes in total: remove files from the branch.`,
  );
}

/** Of a folder outside, git says that it is no path, where there is simply nothing. */
function isInside(folder: string): boolean {
  return folder !== "" && folder.split("/").every((part) => !["", ".", ".."].includes(part));
}

function countOf(byte: number, piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(byte); at >= 0; at = piece.indexOf(byte, at + 1)) count += 1;
  return count;
}

const KINDS: Readonly<Record<string, EntryKind>> = { "120000": "symlink", "160000": "submodule" };

/**
 * Reads what `git ls-tree -r -z -l` prints: `<mode> <type> <oid> <size padded>\t<path>\0` an entry.
 * @throws Error as git has it, for an object that the repository lacks: its size is `BAD`
 */
function parseTreeListing(listing: string): TreeEntry[] {
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

/**
 * Reads many blobs with one `git cat-file --batch` process, whose answers come in the order of the questions:
 * `<oid> blob <size>\n<bytes>\n`, or `<oid> missing\n`.
 * @param environment git's own, which names the repository
 * @returns the bytes by object id
 */
export async function readBlobs(
  entries: readonly Pick<TreeEntry, "id">[],
  environment: Record<string, string>,
): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  // Files with the same content are one blob.
  const ids = [...new Set(entries.map(({ id }) => id))];
  if (ids.length === 0) return blobs;
  const output = await gitOutput(["cat-file", "--batch"], { environment, input: `${ids.join("\n")}\n` });
  let at = 0;
  for (const id of ids) {
    const lineEnd = output.indexOf(0x0a, at);
    const header = output.toString("latin1", at, lineEnd);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1];
    if (lineEnd < 0 || size === undefined)
      throw new Error(`git cat-file responded with "${header}" for the blob ${id}`);
    const start = lineEnd + 1;
    // A copy, so that keeping one small file does not keep the whole answer alive.
    blobs.set(id, Buffer.from(output.subarray(start, start + Number(size))));
    at = start + Number(size) + 1;
  }
  return blobs;
}
