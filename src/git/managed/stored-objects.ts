import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { gitOutput } from "../open-git.ts";
import { SourceError } from "../revision.ts";
import type { CommitObjects, GitObject, GitObjectStore } from "./managed-branch.ts";

/** Objects that are read from a repository, and written to the store, at once. */
const PAGE = 256;
/** An edit of few files costs one git process instead of two. */
const MAX_PATHS = 20;
/** What goes into one pack of a repository that is filled from the store. */
const PACK = { objects: 500, bytes: 16 * 1024 * 1024 };
/** Whoever is further behind gets everything. */
const MAX_HEADS = 1_000;

/** The objects of one managed repository in the store. An environment is git's own, and names the repository. */
export interface StoredObjects {
  /** The commit that came into force last; nothing when none of the repository is stored. */
  newest(): Promise<string | undefined>;
  /** Sees to it that a commit in force is stored, which an earlier version did not do. */
  takeIn(commit: string, environment: Record<string, string>): Promise<void>;
  /** Brings what came into force, and is not in the repository, into it. */
  fetchInto(environment: Record<string, string>): Promise<void>;
  /**
   * What has to be stored with a commit when it comes into force. Of a long history, most is stored at once: it does not
   * count before that.
   * @param paths all that was edited since the other commit, where that is known
   */
  history(
    commit: string,
    since: string | null,
    environment: Record<string, string>,
    paths?: readonly string[],
  ): Promise<CommitObjects>;
}

export function storedObjects(factoryUid: string, store: GitObjectStore): StoredObjects {
  /** A commit that is known to be stored. */
  let held: string | undefined;

  async function holds(commit: string): Promise<boolean> {
    if (commit !== held && (await store.findHead(factoryUid, commit))) held = commit;
    return commit === held;
  }

  async function history(
    commit: string,
    since: string | null,
    environment: Record<string, string>,
    paths?: readonly string[],
  ): Promise<CommitObjects> {
    const base = since !== null && (await holds(since)) ? since : undefined;
    if (base !== undefined && paths && paths.length <= MAX_PATHS)
      return { commit, objects: await readObjects(namesOfEdit(commit, paths), environment) };
    const ids = await listNewObjects(commit, base, environment);
    for (; ids.length > PAGE; ids.splice(0, PAGE))
      await store.keepObjects(factoryUid, await readObjects(ids.slice(0, PAGE), environment));
    return { commit, objects: await readObjects(ids, environment) };
  }

  return {
    newest: async () => (await store.findHead(factoryUid))?.commit,
    async takeIn(commit, environment) {
      if (await holds(commit)) return;
      const { objects } = await history(commit, null, environment);
      await store.keepObjects(factoryUid, objects);
      await store.keepHead(factoryUid, commit);
    },
    async fetchInto(environment) {
      const known = await findKnown(await store.listHeads(factoryUid, MAX_HEADS), environment);
      const missing = await store.listObjectIds(factoryUid, known?.number ?? 0);
      for (const ids of packsOf(missing))
        await writePack(await store.listObjects(factoryUid, ids), environment);
    },
    history,
  };
}

/** The newest of these heads that a repository has. */
async function findKnown<Head extends { commit: string }>(
  heads: readonly Head[],
  environment: Record<string, string>,
): Promise<Head | undefined> {
  const input = heads.map(({ commit }) => `${commit}\n`).join("");
  const output = await gitOutput(["cat-file", "--batch-check"], { environment, input });
  const lines = output.toString("latin1").split("\n");
  return heads.find((_, index) => / commit \d+$/.test(lines[index] ?? ""));
}

function packsOf(objects: readonly { id: string; length: number }[]): string[][] {
  const packs: string[][] = [];
  let bytes = PACK.bytes;
  for (const { id, length } of objects) {
    let last = packs.at(-1);
    if (!last || last.length >= PACK.objects || bytes + length > PACK.bytes) {
      last = [];
      packs.push(last);
      bytes = 0;
    }
    last.push(id);
    bytes += length;
  }
  return packs;
}

const deflated = promisify(deflate);

/** An object that is larger cannot be of a definition, and would have to be in memory whole. */
const MAX_BYTES = 72 * 1024 * 1024;

/**
 * The objects of a commit and of all before it, as far as another commit lacks them.
 * @param since a commit that has the others
 * @throws Error when the repository lacks one of them
 */
async function listNewObjects(
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
async function readObjects(
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
function namesOfEdit(commit: string, paths: readonly string[]): string[] {
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

const TYPES: Readonly<Record<GitObject["type"], number>> = { commit: 1, tree: 2, blob: 3 };

/**
 * Adds objects to a repository as one pack. Git computes their hashes from what is in them: what is damaged gets another
 * hash than it should have, and is not found.
 * @param environment git's own, which names the repository
 */
async function writePack(objects: readonly GitObject[], environment: Record<string, string>): Promise<void> {
  await gitOutput(["index-pack", "--stdin"], { environment, input: packOf(objects) });
}

/** https://git-scm.com/docs/pack-format */
function packOf(objects: readonly GitObject[]): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const parts: Uint8Array[] = [header];
  for (const { type, size, bytes } of objects) parts.push(headerOf(TYPES[type], size), bytes);
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return Buffer.concat([...parts, hash.digest()]);
}

/** The type and the size of an object, seven bits of the size in each byte, but four in the first. */
function headerOf(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
