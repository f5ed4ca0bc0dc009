import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { newUuid } from "../../id.ts";
import { createMasking } from "../../secrets/masking/mask.ts";
import { HAS_DESCRIPTORS, walkTree } from "./walk-tree.ts";

export interface KeepOptions {
  workspace: string;
  /** The folder of the workspace whose files are kept. */
  folder: string;
  /** Where they are copied to, each by an id of its own. */
  to: string;
  /** So many files are kept at most, and so many bytes. */
  most: number;
  mostBytes: number;
  deepest: number;
  /** Values that are looked for in files that are text. */
  secrets: readonly string[];
}

/** A file that was copied. */
export interface CopiedFile {
  id: string;
  /** The names that lead to it. */
  path: string[];
  size: number;
  /** Hexadecimal. */
  sha256: string;
  holdsSecret: boolean;
}

export interface KeptFiles {
  files: CopiedFile[];
  /** How many were not copied. */
  skipped: number;
}

const PIECE_BYTES = 256 * 1024;
/** What has no NUL so far into it is text. */
const LOOKED_INTO_BYTES = 8_192;

/**
 * Copies the files of a folder that an agent has filled, whole and durable. Only plain files with one name count, and no link is
 * followed on the way to them: it could lead to what the agent itself could not read.
 */
export function* keepArtifacts(options: KeepOptions): Generator<void, KeptFiles> {
  const { workspace, folder, to, most } = options;
  const { first, more } = yield* firstPaths(options);
  const files: CopiedFile[] = [];
  let skipped = more;
  let room = options.mostBytes;
  if (first.length > 0) mkdirSync(to, { recursive: true, mode: 0o700 });
  const createMasker = createMasking(options.secrets);
  for (const path of first) {
    const copied =
      files.length < most
        ? yield* copyFile(workspace, [folder, ...path], { to, room, createMasker })
        : undefined;
    if (copied === undefined) skipped += 1;
    else files.push({ ...copied, path });
    room -= copied?.size ?? 0;
  }
  return { files, skipped };
}

/** The files with the first paths, and how many there are beyond; memory holds no more of them than are kept. */
function* firstPaths({ workspace, folder, most, deepest }: KeepOptions) {
  let first: string[][] = [];
  let more = 0;
  const cut = () => {
    first.sort((one, other) => (one.join("/") < other.join("/") ? -1 : 1));
    more += Math.max(0, first.length - most);
    first = first.slice(0, most);
  };
  yield* walkTree(join(workspace, folder), {
    visit({ stat, depth, names }) {
      if (stat.isDirectory()) return depth < deepest;
      if (!stat.isFile()) return false;
      // Names are shown to people and to programs as text.
      first.push(names().map((name) => Buffer.from(name, "latin1").toString("utf8")));
      if (first.length >= 2 * most) cut();
      return false;
    },
  });
  cut();
  return { first, more };
}

interface CopyOptions {
  to: string;
  room: number;
  createMasker: ReturnType<typeof createMasking>;
}

/** @returns nothing for what cannot be copied, or is larger than the room that is left */
function* copyFile(
  workspace: string,
  names: readonly string[],
  { to, room, createMasker }: CopyOptions,
): Generator<void, Omit<CopiedFile, "path"> | undefined> {
  const id = newUuid();
  const place = join(to, id);
  let source: number | undefined;
  let copy: number | undefined;
  let isWhole = false;
  try {
    source = openPlainFile(workspace, names);
    if (source === undefined || fstatSync(source).size > room) return undefined;
    copy = openSync(place, "wx", 0o600);
    const hash = createHash("sha256");
    const masker = createMasker();
    let isText = true;
    let holdsSecret = false;
    let size = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const bytes = piece.subarray(0, readSync(source, piece));
      if (bytes.length === 0) break;
      if (size === 0) isText = !bytes.subarray(0, LOOKED_INTO_BYTES).includes(0);
      size += bytes.length;
      // It may grow while it is read.
      if (size > room) return undefined;
      hash.update(bytes);
      writeSync(copy, bytes);
      if (isText && !holdsSecret) holdsSecret = masker.hasFound(bytes);
      yield;
    }
    fsyncSync(copy);
    isWhole = true;
    return { id, size, sha256: hash.digest("hex"), holdsSecret };
  } catch {
    return undefined;
  } finally {
    if (source !== undefined) closeSync(source);
    if (copy !== undefined) closeSync(copy);
    if (!isWhole && copy !== undefined) rmSync(place, { force: true });
  }
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A named pipe without a writer would never open. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file beneath a folder, component by component, without following links or leaving the file system.
 * @returns nothing for what is not a plain file with one name
 */
function openPlainFile(root: string, names: readonly string[]): number | undefined {
  let folder = openSync(root, FOLDER);
  let path = root;
  try {
    const { dev } = fstatSync(folder);
    for (const [index, name] of names.entries()) {
      path = `${HAS_DESCRIPTORS ? `/proc/self/fd/${folder}` : path}/${name}`;
      const isLast = index === names.length - 1;
      const next = openSync(path, isLast ? FILE : FOLDER);
      const found = fstatSync(next);
      if (found.dev !== dev || (isLast && !(found.isFile() && found.nlink === 1))) {
        closeSync(next);
        return undefined;
      }
      if (isLast) return next;
      closeSync(folder);
      folder = next;
    }
    return undefined;
  } finally {
    closeSync(folder);
  }
}
