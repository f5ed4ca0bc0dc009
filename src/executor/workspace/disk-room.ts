import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { formatBytes } from "../../config/values.ts";
import { errorMessage } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { FileWorker } from "../files/file-worker.ts";
import type { UsageWatch } from "./usage-watch.ts";

/** A file system that the server or its runs write to. */
export interface Volume {
  folder: string;
  /** Whether runs write there. */
  hasWorkspaces: boolean;
  /** Where the disk space for the store is reserved, on the volume of the database. */
  reserve?: string;
}

export interface RoomOptions {
  volumes: readonly Volume[];
  /** Free space below which no turns start; 0 for none. */
  reserveBytes: number;
  files: Pick<FileWorker, "run">;
  usage: Pick<UsageWatch, "endHeaviest">;
  /** Removes what can be spared of a volume that is nearly full. */
  makeRoom(): Promise<void>;
  /** Turns may start again. */
  onRoom(): void;
  log: Log;
}

/** Sees to it that there is room for what the server has promised to store, whatever runs write. */
export interface DiskRoom {
  /** Whether turns may start. */
  isThere(): boolean;
  /** Looks at the disk now. */
  look(): Promise<void>;
  stop(): void;
}

/** A program can write a gigabyte in a second. */
const LOOK_MS = 250;
const MAX_PART = 0.1;
const MAX_FILES = 10_000;
/** Below this part of the reserve, turns that work are ended. */
const CRITICAL = 0.5;
/** So much more than the reserve has to be free before turns start again. */
const AMPLE = 1.25;
const END_EVERY_MS = 1_000;
const MAKE_EVERY_MS = 10_000;
const RESERVED_FILES = 64;

/** Free space, each as a part of what should be free. */
interface Room {
  bytes: number;
  reserveBytes: number;
  part: number;
  shortOf: "bytes" | "files";
}

/**
 * Watches the free space of volumes. Below the reserve no turn starts and ended runs lose their workspaces; below half of it the
 * turns that take most are ended, one after the other. The store takes what is reserved when the disk is full all the same.
 */
export function watchDiskRoom(options: RoomOptions): DiskRoom {
  const { volumes, reserveBytes, files, usage, makeRoom, onRoom, log } = options;
  if (reserveBytes === 0) return { isThere: () => true, look: async () => {}, stop() {} };
  const states = volumes.map((volume) => ({ volume, isLow: false, hadReserve: false }));
  let endedAt = Number.NEGATIVE_INFINITY;
  let madeAt = Number.NEGATIVE_INFINITY;
  let isMakingRoom = false;
  let looking: Promise<void> | undefined;

  async function lookAt(state: (typeof states)[number]): Promise<void> {
    const { volume } = state;
    const room = await roomOf(volume.folder, reserveBytes);
    const hasReserve = volume.reserve === undefined || existsSync(volume.reserve);
    const isFreed = state.hadReserve && !hasReserve;
    state.hadReserve = hasReserve && volume.reserve !== undefined;
    const wasLow = state.isLow;
    const enough = wasLow || isFreed ? AMPLE + (hasReserve ? 0 : 1) : 1;
    state.isLow = room.part < enough;
    if (state.isLow !== wasLow) report(volume, room, state.isLow);
    if (wasLow && !state.isLow) onRoom();
    if (state.isLow) await relieve(volume, room);
    else if (!hasReserve) reserve(volume, room);
  }

  function report({ folder }: Volume, { bytes }: Room, isLow: boolean): void {
    const found = { folder, free: formatBytes(bytes) };
    if (isLow) log.warn(found, "the disk is nearly full: no turns start until space is free");
    else log.info(found, "the disk has free space again: turns start");
  }

  async function relieve(volume: Volume, room: Room): Promise<void> {
    if (!volume.hasWorkspaces) return;
    if (!isMakingRoom) {
      isMakingRoom = true;
      makeRoom()
        .catch((error) => log.warn({ error: errorMessage(error) }, "workspaces could not be removed"))
        .finally(() => {
          isMakingRoom = false;
        });
    }
    if (room.part >= CRITICAL || performance.now() < endedAt + END_EVERY_MS) return;
    endedAt = performance.now();
    const run = await usage.endHeaviest(
      room.shortOf,
      ({ bytes, files }) =>
        `The run was stopped: the disk is nearly full, and this run uses the most of it (${formatBytes(bytes)} in ${files} files). ` +
        "Free disk space, or move workspaces to a separate volume (MILLRACE_WORKSPACES_DIR).",
    );
    if (run !== undefined)
      log.warn({ run, folder: volume.folder }, "a turn was stopped: the disk is nearly full");
  }

  function reserve({ reserve: folder, ...volume }: Volume, room: Room): void {
    const isDue = performance.now() >= madeAt + MAKE_EVERY_MS;
    if (folder === undefined || !isDue || room.part < 1 + AMPLE) return;
    madeAt = performance.now();
    files
      .run("reserve", { folder, bytes: room.reserveBytes, files: RESERVED_FILES })
      .catch((error) =>
        log.warn({ folder: volume.folder, error: errorMessage(error) }, "disk space could not be reserved"),
      );
  }

  async function look(): Promise<void> {
    looking ??= Promise.all(states.map(lookAt))
      .catch((error) => log.debug({ error: errorMessage(error) }, "free disk space could not be determined"))
      .then(() => {
        looking = undefined;
      });
    await looking;
  }

  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  void look();
  return {
    isThere: () => !states.some(({ isLow }) => isLow),
    look,
    stop: () => clearInterval(timer),
  };
}

async function roomOf(folder: string, wanted: number): Promise<Room> {
  const { bavail, bsize, blocks, ffree, files } = await statfs(folder);
  const bytes = bavail * bsize;
  const reserveBytes = Math.min(wanted, Math.floor(blocks * bsize * MAX_PART));
  const ofBytes = bytes / reserveBytes;
  // Some file systems have no number of files.
  const ofFiles = files > 0 ? ffree / Math.min(MAX_FILES, files * MAX_PART) : Number.POSITIVE_INFINITY;
  return {
    bytes,
    reserveBytes,
    part: Math.min(ofBytes, ofFiles),
    shortOf: ofFiles < ofBytes ? "files" : "bytes",
  };
}
