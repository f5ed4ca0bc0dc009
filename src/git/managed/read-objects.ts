import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { gitOutput } from "../git-output.ts";
import { SourceError } from "../revision.ts";
import type { GitObject } from "./git-objects.ts";

const deflated = promisify(deflate);

/** An object that is larger cannot be of a definition, and would have to be in memory whole. */
const MAX_BYTES = 72 * 1024 * 1024;

/**
 * The objects of a commit and of all before it, as far as another commit lacks them.
 * @param since a commit that has the others
 * @throws Error when the repository lacks one of them
 */
export async function listNewObjects(
  commit: string,
  since: string | undefined,
  environment: Record<string, string>,
): Promise<string[]> {
  const range = since === undefined ? [commit] : [commit, "--not", since];
  const listed = await gitOutput(["rev-list", "--objects", "--no-object-names", ...range, "--"], {
    environment,
  });
  return listed.toString("latin1").split("\n").filter(Boolean);
}

/**
 * Reads objects with one git process, or with more where they are large.
 * @throws SourceError `GIT_REFUSED` for one that is too large to be stored
 */
export async function readObjects(
  ids: readonly string[],
  environment: Record<string, string>,
): Promise<GitObject[]> {
  if (ids.length === 0) return [];
  let room = MAX_BYTES;
  const isEnough = (piece: Buffer) => {
    room -= piece.length;
    return room < 0;
  };
  const input = `${ids.join("\n")}\n`;
  const output = await gitOutput(["cat-file", "--batch"], { environment, input, isEnough });
  if (room >= 0) return parseObjects(ids, output);
  if (ids.length === 1) {
    throw new SourceError(
      "GIT_REFUSED",
      `The object ${ids[0]} in the history of the branch has more than ${MAX_BYTES / 1024 / 1024} MiB: remove it from the history.`,
    );
  }
  const half = Math.ceil(ids.length / 2);
  const first = await readObjects(ids.slice(0, half), environment);
  return [...first, ...(await readObjects(ids.slice(half), environment))];
}

/** https://git-scm.com/docs/git-cat-file#_batch_output: `<oid> <type> <size>`, and the content between line breaks. */
function parseObjects(ids: readonly string[], output: Buffer): Promise<GitObject[]> {
  const objects: Promise<GitObject>[] = [];
  let at = 0;
  for (const id of ids) {
    const lineEnd = output.indexOf(0x0a, at);
    const header = output.toString("latin1", at, lineEnd);
    const [, type, size] = /^[0-9a-f]+ (commit|tree|blob) (\d+)$/.exec(header) ?? [];
    if (lineEnd < 0 || size === undefined)
      throw new Error(`git cat-file responded with "${header}" for the object ${id}`);
    const content = output.subarray(lineEnd + 1, lineEnd + 1 + Number(size));
    objects.push(
      deflated(content).then((bytes) => {
        return { id, type: type as GitObject["type"], size: content.length, bytes };
      }),
    );
    at = lineEnd + 2 + content.length;
  }
  return Promise.all(objects);
}
