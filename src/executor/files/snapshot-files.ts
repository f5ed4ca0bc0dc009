import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  type Stats,
  statfsSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { errorMessage, systemCode } from "../../errors/error.ts";
import { createMasking } from "../../secrets/masking/mask.ts";
import { HAS_DESCRIPTORS, type WalkedEntry, walkTree } from "./walk-tree.ts";

export interface TakeFilesOptions {
  workspace: string;
  /** An empty folder that only this user can read. */
  to: string;
  /** What was made or changed at this time of the file system, or later, was made by the setup commands. */
  sinceMs: number;
  /** Folders of the workspace that are clones. */
  clones: readonly string[];
  /** The id of the run, which programs write into files as a part of the path of its workspace. */
  runId: string;
  /** Values that no file may contain. */
  secrets: readonly string[];
  /** `bytes` of the disk. */
  most: { bytes: number; files: number };
  /** So much of the volume stays free. */
  freeBytes: number;
}

/** What was copied, or why nothing was, as a sentence without its full stop. */
export type TakenFiles =
  | { files: number; bytes: number; diskBytes: number; seal: string }
  | { refused: string };

/** Paths have one character for each byte: they need not be UTF-8. */
interface Folder {
  path: string;
  mode: number;
  /** What the setup commands have left as it was in this folder; without it, nothing is removed from it. */
  kept?: string[];
}

interface Copied {
  path: string;
  mode: number;
  /** The number of its copy. */
  file: number;
  size: number;
  sha256: string;
  mtimeMs: number;
  /** Where the id of the run stands in it. */
  ids?: number[];
}

interface Link {
  path: string;
  to: string;
}

type Entry = Folder | Copied | Link;

/** What setup commands have made of a workspace; an entry stands after the folder that it is in. */
interface Listing {
  runId: string;
  sinceMs: number;
  entries: Entry[];
}

const LISTING = "listing.json";
const PIECE_BYTES = 1024 * 1024;
/** A file takes whole blocks of the disk, also where it had holes. */
const BLOCK_BYTES = 4_096;
/** Of an inode, and of its lines in the listing. */
const ENTRY_BYTES = 512;
const MAX_PATH = 2_000;
/** Of one file; a program that writes the path so often keeps a log. */
const MAX_IDS = 10_000;
const FILES_IN_FOLDER = 1_000;
const LOOK_AT_DISK_EVERY = 500;
const SPECIAL_BITS = 0o7000;
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** In `.git`: what says which commits there are, and which one is checked out. */
const HISTORY = /^(objects|refs|logs|worktrees)(\/|$)|^(HEAD|packed-refs|shallow|[A-Z_]+_HEAD)$/;

class Refused extends Error {}

/**
 * Copies what setup commands have made or changed in a workspace, before any agent is there. No link is followed; whatever
 * another run could not be given as it is here, such as a device, refuses the whole.
 */
export function* takeFiles(options: TakeFilesOptions): Generator<void, TakenFiles> {
  const { workspace, to, sinceMs, clones, runId, most, freeBytes } = options;
  const { uid } = lstatSync(workspace);
  const createMasker = createMasking(options.secrets);
  const entries: Entry[] = [{ path: "", mode: 0o700, kept: [] }];
  const folders = new Map<string, Folder>([["", entries[0] as Folder]]);
  const linked = new Map<number, { path: string; missing: number }>();
  let canClone = true;
  let bytes = 0;
  let diskBytes = 0;
  let files = 0;
  let next: { fd: number; stat: Stats; path: string } | undefined;

  function visit({ at, stat, names }: WalkedEntry): boolean {
    const parts = names();
    const path = parts.join("/");
    if (stat.ctimeMs < sinceMs) {
      folders.get(parts.slice(0, -1).join("/"))?.kept?.push(parts.at(-1) ?? "");
      return stat.isDirectory();
    }
    const inGit =
      parts[1] === ".git" && clones.includes(nameOf(parts[0] ?? "")) ? parts.slice(2).join("/") : "";
    if (HISTORY.test(inGit))
      throw new Refused(`the setup commands changed the history of ${shown(parts[0])}`);
    if (stat.uid !== uid) throw new Refused(`${shown(path)} belongs to another user`);
    if (path.length > MAX_PATH) throw new Refused(`the path ${shown(path.slice(0, 80))}… is too long`);
    if (path.includes(runId)) throw new Refused(`${shown(path)} has the id of the run in its name`);
    if (!stat.isSymbolicLink() && (stat.mode & SPECIAL_BITS) !== 0)
      throw new Refused(`${shown(path)} has a setuid, setgid or sticky bit`);
    const mode = stat.mode & 0o777;
    files += 1;
    diskBytes += ENTRY_BYTES + path.length;
    if (files > most.files) throw new Refused(`the setup commands made more than ${most.files} files`);
    if (stat.isDirectory()) {
      const isGit = parts.length === 2 && inGit === "" && parts[1] === ".git";
      const folder: Folder = { path, mode, ...(isGit ? {} : { kept: [] }) };
      folders.set(path, folder);
      entries.push(folder);
      return true;
    }
    if (stat.isSymbolicLink()) {
      entries.push({ path, to: readlinkSync(at, { encoding: "latin1" }) });
      return false;
    }
    if (!stat.isFile())
      throw new Refused(`${shown(path)} is neither a file nor a folder nor a symbolic link`);
    bytes += stat.size;
    diskBytes += Math.ceil(stat.size / BLOCK_BYTES) * BLOCK_BYTES;
    if (diskBytes > most.bytes) throw new Refused("the setup commands made more than a snapshot may have");
    noteLinks(path, stat);
    next = { fd: openSync(at, FILE), stat, path };
    return false;
  }

  /** Another name of a file may lie outside of the workspace. */
  function noteLinks(path: string, { ino, nlink }: Stats): void {
    if (nlink === 1) return;
    const missing = (linked.get(ino)?.missing ?? nlink) - 1;
    linked.set(ino, { path, missing });
  }

  function* copyNext(): Generator<void, void> {
    if (!next) return;
    const { fd, stat, path } = next;
    next = undefined;
    const number = entries.length;
    const place = placeOf(to, number);
    try {
      const before = fstatSync(fd);
      if (!before.isFile() || before.ino !== stat.ino) throw new Refused(`${shown(path)} was replaced`);
      if (number % LOOK_AT_DISK_EVERY === 0 || stat.size > PIECE_BYTES)
        refuseFullDisk(to, stat.size + freeBytes);
      mkdirSync(join(place, ".."), { recursive: true, mode: 0o700 });
      const isCloned = canClone && cloneFile(fd, place);
      canClone &&= isCloned;
      const hash = createHash("sha256");
      const scan = scanFor(runId, createMasker(), path);
      const copy = isCloned ? undefined : openSync(place, "wx", 0o600);
      try {
        for (let at = 0; ; ) {
          const piece = PIECE.subarray(0, readSync(fd, PIECE, 0, PIECE_BYTES, at));
          if (piece.length === 0) break;
          scan.look(piece, at);
          hash.update(piece);
          if (copy !== undefined) writeWhole(copy, piece);
          at += piece.length;
          if (at >= PIECE_BYTES) yield;
        }
      } finally {
        if (copy !== undefined) closeSync(copy);
      }
      const after = fstatSync(fd);
      if (after.size !== stat.size || after.ctimeMs !== stat.ctimeMs)
        throw new Refused(`${shown(path)} was changed`);
      const { size, mtimeMs } = stat;
      const sha256 = hash.digest("hex");
      const ids = scan.ids.length > 0 ? { ids: scan.ids } : {};
      entries.push({ path, mode: stat.mode & 0o777, file: number, size, sha256, mtimeMs, ...ids });
    } finally {
      closeSync(fd);
    }
  }

  try {
    refuseFullDisk(to, freeBytes);
    for (const step of walkTree(workspace, { visit })) {
      yield* copyNext();
      yield step;
    }
    yield* copyNext();
    for (const { path, missing } of linked.values())
      if (missing > 0)
        throw new Refused(`${shown(path)} has another hard link, which may be outside the workspace`);
    const text = JSON.stringify({ runId, sinceMs, entries } satisfies Listing);
    writeDurably(join(to, LISTING), text);
    return { files, bytes, diskBytes, seal: hashText(text) };
  } catch (error) {
    const refused =
      error instanceof Refused ? error.message : `the files could not be copied: ${errorMessage(error)}`;
    return { refused };
  } finally {
    if (next) closeSync(next.fd);
  }
}

const PIECE = Buffer.allocUnsafe(PIECE_BYTES);

const hashText = (text: string) => createHash("sha256").update(text).digest("hex");

const nameOf = (latin1: string) => Buffer.from(latin1, "latin1").toString("utf8");

/** For messages: file names come from the packages that setup commands install. */
function shown(path: string | undefined): string {
  return nameOf(path ?? "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "?")
    .slice(0, 200);
}

const placeOf = (folder: string, file: number) =>
  join(folder, String(Math.floor(file / FILES_IN_FOLDER)), String(file));

function refuseFullDisk(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes) throw new Refused("the disk is nearly full");
}

const NO_CLONES = new Set(["ENOTSUP", "EOPNOTSUPP", "EXDEV", "EINVAL", "ENOSYS", "ENOTTY"]);

/** Makes a file that shares its blocks with an open one until one of them is written. @returns whether the file system can do that */
function cloneFile(fd: number, place: string | Buffer): boolean {
  if (!HAS_DESCRIPTORS) return false;
  try {
    copyFileSync(`/proc/self/fd/${fd}`, place, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    // It has the mode of the other one, with which its owner may not be allowed to open it.
    chmodSync(place, 0o600);
    return true;
  } catch (error) {
    rmSync(place, { force: true });
    if (NO_CLONES.has(systemCode(error) ?? "")) return false;
    throw error;
  }
}

/** Looks for secrets, and for the places of the run's id, in a file that is read piece by piece. */
function scanFor(runId: string, masker: { hasFound(bytes: Buffer): boolean }, path: string) {
  const ids: number[] = [];
  const wanted = Buffer.from(runId);
  let end = Buffer.alloc(0);
  return {
    ids,
    look(piece: Buffer, at: number): void {
      if (masker.hasFound(piece)) throw new Refused(`${shown(path)} contains the value of a secret`);
      const seen = end.length === 0 ? piece : Buffer.concat([end, piece]);
      const from = at - end.length;
      for (let found = seen.indexOf(wanted); found >= 0; found = seen.indexOf(wanted, found + wanted.length))
        ids.push(from + found);
      if (ids.length > MAX_IDS)
        throw new Refused(`${shown(path)} contains the path of the workspace too often`);
      end = Buffer.from(seen.subarray(Math.max(0, seen.length - wanted.length + 1)));
    },
  };
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function writeDurably(path: string, text: string): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    writeWhole(fd, Buffer.from(text));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export interface RestoreFilesOptions {
  from: string;
  /** Where no program of the run has been. */
  workspace: string;
  runId: string;
  /** What `takeFiles` has returned for it; then each file is compared with what it was, and another one is not restored. */
  seal?: string | undefined;
}

/** `isDamaged` where the copies are not what was written. */
export type RestoredFiles = { files: number; bytes: number } | { failure: string; isDamaged: boolean };

/**
 * Makes of a workspace with the same clones what setup commands have made of another one. Where files have the id of that run,
 * they get the id of this one, which is as long.
 */
export function* restoreFiles(options: RestoreFilesOptions): Generator<void, RestoredFiles> {
  try {
    return yield* restore(options);
  } catch (error) {
    const isDamaged = error instanceof Damaged;
    return { failure: isDamaged ? error.message : errorMessage(error), isDamaged };
  }
}

class Damaged extends Error {}

/** Files that the setup commands made seem to be made now, in the same order: later than what was cloned, and not in the future. */
const MTIME_SPAN_MS = 100;

function* restore({ from, workspace, runId, seal }: RestoreFilesOptions): Generator<void, RestoredFiles> {
  const { runId: before, sinceMs, entries } = readListing(from, seal);
  const root = Buffer.from(`${workspace}/`);
  const at = (path: string) => Buffer.concat([root, Buffer.from(path, "latin1")]);
  const made = new Set<string>();
  const entered = new Set<string>([""]);
  const present = childrenOf(entries);
  const now = Date.now();
  const last = entries.reduce(
    (latest, entry) => ("file" in entry ? Math.max(latest, entry.mtimeMs) : latest),
    sinceMs,
  );
  const scale = last > sinceMs ? Math.min(1, MTIME_SPAN_MS / (last - sinceMs)) : 0;
  const mtimeOf = (mtimeMs: number) => (mtimeMs < sinceMs ? mtimeMs : now + (mtimeMs - sinceMs) * scale);
  let canClone = seal === undefined && lstatSync(workspace).dev === lstatSync(from).dev;
  let bytes = 0;
  for (const entry of entries) {
    const { path } = entry;
    if (path !== "") enter(parentOf(path));
    if (!("file" in entry) && !("to" in entry)) {
      makeFolder(entry);
    } else {
      if (!made.has(parentOf(path))) rmSync(at(path), { recursive: true, force: true });
      if ("to" in entry) symlinkSync(Buffer.from(entry.to.replaceAll(before, runId), "latin1"), at(path));
      else bytes += yield* restoreFile(entry);
    }
    yield;
  }
  // Last: nothing can be made in a folder that its owner may not write.
  for (const entry of entries.toReversed())
    if (!("file" in entry) && !("to" in entry) && entry.path !== "") chmodSync(at(entry.path), entry.mode);
  return { files: entries.length - 1, bytes };

  /** A link in the place of a folder would lead elsewhere. */
  function enter(folder: string): void {
    if (entered.has(folder)) return;
    enter(parentOf(folder));
    if (!lstatSync(at(folder)).isDirectory()) throw new Error(`${shown(folder)} is not a folder`);
    entered.add(folder);
  }

  function makeFolder({ path, kept }: Folder): void {
    const place = at(path);
    const found = path === "" || lstatSync(place, { throwIfNoEntry: false })?.isDirectory();
    entered.add(path);
    if (!found) {
      rmSync(place, { force: true });
      mkdirSync(place, { mode: 0o700 });
      made.add(path);
    } else if (kept) {
      const stays = new Set([...kept, ...(present.get(path) ?? [])]);
      for (const name of readdirSync(place, { encoding: "latin1" }))
        if (!stays.has(name))
          rmSync(at(path === "" ? name : `${path}/${name}`), { recursive: true, force: true });
    }
  }

  function* restoreFile({
    path,
    mode,
    file,
    size,
    sha256,
    mtimeMs,
    ids = [],
  }: Copied): Generator<void, number> {
    const source = openCopy(placeOf(from, file), size);
    let copy: number | undefined;
    try {
      canClone &&= cloneFile(source, at(path));
      if (canClone) copy = openSync(at(path), "r+");
      else {
        copy = openSync(at(path), "wx", 0o600);
        const hash = seal === undefined ? undefined : createHash("sha256");
        for (let done = 0; ; ) {
          const piece = PIECE.subarray(0, readSync(source, PIECE, 0, PIECE_BYTES, done));
          if (piece.length === 0) {
            if (hash && hash.digest("hex") !== sha256)
              throw new Damaged("one of its files has another content");
            break;
          }
          hash?.update(piece);
          writeWhole(copy, piece);
          done += piece.length;
          if (done >= PIECE_BYTES) yield;
        }
      }
      for (const place of ids) writeSync(copy, runId, place);
      fchmodSync(copy, mode);
      const seconds = mtimeOf(mtimeMs) / 1_000;
      futimesSync(copy, seconds, seconds);
      return size;
    } finally {
      closeSync(source);
      if (copy !== undefined) closeSync(copy);
    }
  }
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function childrenOf(entries: readonly Entry[]): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const { path } of entries) {
    if (path === "") continue;
    const parent = parentOf(path);
    const names = children.get(parent) ?? [];
    children.set(parent, names);
    names.push(path.slice(parent === "" ? 0 : parent.length + 1));
  }
  return children;
}

function readListing(from: string, seal: string | undefined): Listing {
  try {
    const text = readFileSync(join(from, LISTING), "utf8");
    if (seal !== undefined && hashText(text) !== seal) throw new Error("it is another one");
    return JSON.parse(text);
  } catch (error) {
    throw new Damaged(`its listing cannot be read: ${errorMessage(error)}`);
  }
}

function openCopy(place: string, size: number): number {
  let fd: number;
  try {
    fd = openSync(place, FILE);
  } catch (error) {
    throw new Damaged(`one of its files cannot be read: ${errorMessage(error)}`);
  }
  const found = fstatSync(fd);
  if (found.isFile() && found.size === size) return fd;
  closeSync(fd);
  throw new Damaged("one of its files has another size");
}
