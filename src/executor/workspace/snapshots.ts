import { mkdir, open, readdir, readFile, rename, rmdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatBytes } from "../../config/values.ts";
import { errorMessage } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import type { Log } from "../../log.ts";
import type { FileWorker } from "../files/file-worker.ts";
import { removeTree } from "./own-file.ts";
import { hashOf, type LockFiles, type SetupKey } from "./setup-key.ts";

/** What was made by setup commands, and can be made again without them. */
export interface Snapshot {
  folder: string;
  key: SetupKey;
  lockFiles: LockFiles;
  madeAt: string;
  bytes: number;
  /** What it takes of the disk. */
  diskBytes: number;
  files: number;
  /** When it was used last. */
  usedAtMs: number;
}

export interface SnapshotsOptions {
  /** Where they are, for this user alone. */
  folder: string;
  /** What all of them may take of the disk. */
  mostBytes: number;
  /** So much of the volume stays free. */
  freeBytes: number;
  /**
   * Whether agents have the user of this process, and could write to snapshots: then those alone are used that this process has
   * made, and only if they are as they were.
   */
  isWithinReach: boolean;
  files: Pick<FileWorker, "run">;
  log: Log;
  now: () => Date;
}

/** Of a workspace that the setup commands have just left. */
export interface TakeOptions {
  workspace: string;
  runId: string;
  sinceMs: number;
  clones: readonly string[];
  /** As they were before the commands. */
  lockFiles: LockFiles;
  secrets: readonly string[];
  signal: AbortSignal;
}

/**
 * Snapshots of workspaces after their setup commands, each of one factory. A folder is one only under its final name, which it
 * gets when it is whole; no agent can reach any of them.
 */
export interface Snapshots {
  /** Removes what earlier processes have not finished, and what a restart of the machine may have damaged. */
  sweep(): Promise<void>;
  find(key: SetupKey): Promise<Snapshot | undefined>;
  /** Those of the same factory, the one that was made last first. */
  listOf(key: SetupKey): Promise<Snapshot[]>;
  /** @returns how much was copied, or why the workspace could not be restored: it is no longer of use then */
  restore(
    snapshot: Snapshot,
    into: { workspace: string; runId: string; signal: AbortSignal },
  ): Promise<{ files: number; bytes: number } | { failure: string }>;
  /** @returns what was kept, or why nothing was, as a sentence without its full stop */
  take(key: SetupKey, options: TakeOptions): Promise<Snapshot | { refused: string }>;
  /** The time that a file has that is changed now, on the volume of the snapshots. All that was changed before has an earlier one. */
  readClock(): Promise<number>;
  /** Removes the one that was not used for the longest time. @returns whether there was one */
  removeOldest(): Promise<boolean>;
}

const MANIFEST = "manifest.json";
const UNFINISHED = ".new-";
const REMOVED = ".removed-";
const MAX_COUNT = 200;
const MAX_OF_FACTORY = 20;
const MAX_FILES = 400_000;
/** One may take no more than this part of what all may take. */
const MAX_PART = 0.5;
/** Longer than a tick of the kernel, by which the times of files go. */
const TICK_MS = 20;
const MAX_AGE_MS = 7 * 24 * 60 * 60_000;

interface Manifest extends Pick<Snapshot, "key" | "lockFiles" | "madeAt" | "bytes" | "diskBytes" | "files"> {
  /** Copies are not flushed to the disk one by one: what was made before the machine started is not used. */
  boot: string;
}

export async function openSnapshots(options: SnapshotsOptions): Promise<Snapshots> {
  const { folder, mostBytes, files, log, now } = options;
  const boot = await bootId();
  const making = new Set<string>();
  const used = new Map<string, number>();
  /** What was made here, by its place. */
  const seals = new Map<string, string>();

  const placeOf = (key: SetupKey) => join(folder, key.factory, hashOf(key));

  async function read(place: string): Promise<Snapshot | undefined> {
    if (options.isWithinReach && !seals.has(place)) return undefined;
    try {
      const path = join(place, MANIFEST);
      const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
      const { boot: madeIn, ...manifest } = JSON.parse(text) as Manifest;
      const isOld = now().getTime() - Date.parse(manifest.madeAt) > MAX_AGE_MS;
      return madeIn === boot && !isOld ? { ...manifest, folder: place, usedAtMs: mtimeMs } : undefined;
    } catch {
      return undefined;
    }
  }

  async function remove(place: string): Promise<boolean> {
    if (used.has(place)) return false;
    const away = join(folder, `${REMOVED}${newUid()}`);
    const isMoved = await rename(place, away).then(
      () => true,
      () => false,
    );
    seals.delete(place);
    if (isMoved) await removeTree(away);
    return isMoved;
  }

  async function listIn(factory: string): Promise<Snapshot[]> {
    const names = await readdir(join(folder, factory)).catch(() => []);
    const found = await Promise.all(names.map((name) => read(join(folder, factory, name))));
    return found.filter((each) => each !== undefined);
  }

  async function listAll(): Promise<Snapshot[]> {
    const factories = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith("."));
    return (await Promise.all(factories.map(listIn))).flat();
  }

  /** Of the factory that has most goes what was not used for the longest time: one cannot take the room of the others. */
  async function removeOne(all: readonly Snapshot[]): Promise<Snapshot | undefined> {
    const sizes = new Map<string, number>();
    for (const { key, diskBytes } of all) sizes.set(key.factory, (sizes.get(key.factory) ?? 0) + diskBytes);
    const sorted = all.toSorted(
      (one, other) =>
        (sizes.get(other.key.factory) ?? 0) - (sizes.get(one.key.factory) ?? 0) ||
        one.usedAtMs - other.usedAtMs,
    );
    for (const each of sorted) if (await remove(each.folder)) return each;
    return undefined;
  }

  async function makeRoom(factory: string, bytes: number): Promise<boolean> {
    let all = await listAll();
    const without = (gone: Snapshot) => all.filter((each) => each !== gone);
    for (;;) {
      const own = all.filter(({ key }) => key.factory === factory);
      const isOver =
        all.reduce((sum, each) => sum + each.diskBytes, bytes) > mostBytes || all.length >= MAX_COUNT;
      if (!isOver && own.length < MAX_OF_FACTORY) return true;
      const gone = await removeOne(own.length >= MAX_OF_FACTORY ? own : all);
      if (!gone) return false;
      all = without(gone);
    }
  }

  async function make(
    key: SetupKey,
    place: string,
    { signal, lockFiles, ...of }: TakeOptions,
  ): Promise<Snapshot | { refused: string }> {
    const draft = join(folder, `${UNFINISHED}${newUid()}`);
    await mkdir(draft, { recursive: true, mode: 0o700 });
    try {
      const most = { bytes: Math.floor(mostBytes * MAX_PART), files: MAX_FILES };
      const job = { ...of, to: draft, most, freeBytes: options.freeBytes };
      const { result } = await files.run("takeSnapshot", job, signal);
      if ("refused" in result) return result;
      const { seal, ...copied } = result;
      const manifest: Manifest = { key, lockFiles, madeAt: now().toISOString(), boot, ...copied };
      await writeDurably(join(draft, MANIFEST), JSON.stringify(manifest));
      if (!(await makeRoom(key.factory, result.diskBytes)))
        return { refused: "other snapshots take all of the room" };
      await mkdir(join(folder, key.factory), { recursive: true, mode: 0o700 });
      // One that cannot be used any more may lie there; one that can is the same.
      if (!(await read(place))) await remove(place);
      await rename(draft, place);
      if (options.isWithinReach) seals.set(place, seal);
      return { ...manifest, folder: place, usedAtMs: now().getTime() };
    } finally {
      await removeTree(draft).catch((error) =>
        log.warn({ folder: draft, error: errorMessage(error) }, "a draft of a snapshot could not be removed"),
      );
    }
  }

  return {
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        if (name.startsWith(".")) await removeTree(join(folder, name));
        else
          for (const each of await readdir(join(folder, name)).catch(() => []))
            if (!(await read(join(folder, name, each)))) await remove(join(folder, name, each));
      }
      let total = (await listAll()).reduce((sum, { diskBytes }) => sum + diskBytes, 0);
      while (total > mostBytes) {
        const gone = await removeOne(await listAll());
        if (!gone) return;
        total -= gone.diskBytes;
      }
    },
    find: (key) => read(placeOf(key)),
    async listOf({ factory }) {
      const found = await listIn(factory);
      return found.sort((one, other) => (one.madeAt < other.madeAt ? 1 : -1));
    },
    async restore(snapshot, { signal, ...into }) {
      const place = snapshot.folder;
      used.set(place, (used.get(place) ?? 0) + 1);
      let isDamaged = false;
      try {
        const { result } = await files.run(
          "restoreSnapshot",
          { from: place, ...into, seal: seals.get(place) },
          signal,
        );
        if (!("failure" in result)) {
          await utimes(join(place, MANIFEST), now(), now()).catch(() => {});
          return result;
        }
        ({ isDamaged } = result);
        return { failure: result.failure };
      } finally {
        const left = (used.get(place) ?? 1) - 1;
        if (left > 0) used.set(place, left);
        else used.delete(place);
        if (isDamaged) await remove(place);
      }
    },
    async take(key, of) {
      const place = placeOf(key);
      if (making.has(place)) return { refused: "another run is making it" };
      making.add(place);
      try {
        return (await read(place)) ?? (await make(key, place, of));
      } catch (error) {
        of.signal.throwIfAborted();
        return { refused: errorMessage(error) };
      } finally {
        making.delete(place);
      }
    },
    async readClock() {
      await sleep(TICK_MS);
      const marker = join(folder, `${UNFINISHED}${newUid()}`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await mkdir(marker, { mode: 0o700 });
      const { ctimeMs } = await stat(marker);
      await rmdir(marker);
      return ctimeMs;
    },
    removeOldest: async () => (await removeOne(await listAll())) !== undefined,
  };
}

/** For messages. */
export const describeSnapshot = ({ files, bytes }: Pick<Snapshot, "files" | "bytes">) =>
  `${files} files, ${formatBytes(bytes)}`;

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Empty where the system does not say when it was started. */
async function bootId(): Promise<string> {
  return (await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
}
