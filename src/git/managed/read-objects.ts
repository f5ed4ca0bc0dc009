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
 * @param ids hashes, or names of {@link namesOfEdit}
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

/**
 * Names of the objects that an edit of these paths can have made: the commit, the files, and the folders above them. An
 * edit takes away those of them that the commit lacks.
 */
export function namesOfEdit(commit: string, paths: readonly string[]): string[] {
  const steps = paths.flatMap((path) => path.split("/").map((_, at, all) => all.slice(0, at + 1).join("/")));
  return [commit, `${commit}^{tree}`, ...[...new Set(steps)].map((step) => `${commit}:${step}`)];
}

/**
 * https://git-scm.com/docs/git-cat-file#_batch_output: `<oid> <type> <size>`, and the content between line breaks; or
 * `<name> missing`.
 */
function parseObjects(names: readonly string[], output: Buffer): Promise<GitObject[]> {
  const objects: Promise<GitObject>[] = [];
  let at = 0;
  for (const name of names) {
    const lineEnd = output.indexOf(0x0a, at);
    const header = output.toString("utf8", at, lineEnd);
    if (name.includes(":") && header === `${name} missing`) {
      at = lineEnd + 1;
      continue;
    }
    const [, id = "", type, size] = /^([0-9a-f]+) (commit|tree|blob) (\d+)$/.exec(header) ?? [];
    if (lineEnd < 0 || size === undefined)
      throw new Error(`git cat-file responded with "${header}" for the object ${name}`);
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
