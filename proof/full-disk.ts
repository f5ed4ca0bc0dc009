import { execFileSync } from "node:child_process";
import { mkdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onFinished } from "../test/given/cleanup.ts";
import { temporaryFolder } from "../test/given/folder.ts";
import type { HarmPart } from "./given/part.ts";

const MAX_PEACE_MS = 2_000;
const MAX_FAULT_MS = 1_500;
/** The size is only a bound: a file system of memory takes what is in it. */
const ROOMY = "2g";
const PAGE = 4_096;

/** So that the server is told of a write that fails, rather than ended by a signal. */
const withoutSignal = ["bash", "-c", `trap '' XFSZ; exec "$@"`, "bash"];

/**
 * Leaves the server no room to write, for a moment and again: the file system of its data folder is made as small as what
 * it holds, or the kernel refuses each of its writes to a file. The second way needs no rights and is the only one where
 * nothing may be mounted.
 */
export const fullDisk: HarmPart = {
  name: "full disk",
  share: 0.1,
  large: false,
  prepare() {
    const folder = mountedFolder();
    const dataDir = join(folder ?? temporaryFolder("millrace-disk"), "data");
    return { options: { wrapper: withoutSignal, dataDir }, tools: { folder } };
  },
  async harm({ stage, chance, isOver, tools }) {
    const { folder } = tools as { folder: string | undefined };
    const faults = { full: 0, refused: 0 };
    while (!isOver()) {
      await sleep(chance.next() * MAX_PEACE_MS);
      const fills = folder !== undefined && chance.of(0.7);
      if (fills) fill(folder, chance.below(16));
      else refuseWrites(stage.server.pid, true);
      faults[fills ? "full" : "refused"] += 1;
      await sleep(chance.next() * MAX_FAULT_MS);
      if (fills) resize(folder, ROOMY);
      else refuseWrites(stage.server.pid, false);
    }
    const { full, refused } = faults;
    const note = folder
      ? `a file system without room ${full} times, writes that fail ${refused} times`
      : `nothing may be mounted here: writes that fail, ${refused} times`;
    // A run whose folder cannot be written is ended with its reason; as many as wait can meet that.
    return { faults: full + refused, mostCutOff: Number.POSITIVE_INFINITY, note };
  },
};

/** A small file system of its own, unless this user may not mount one. */
function mountedFolder(): string | undefined {
  const folder = join(temporaryFolder("millrace-disk"), "mount");
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${ROOMY},mode=700`, "millrace-proof", folder], {
      stdio: "ignore",
    });
  } catch {
    return undefined;
  }
  onFinished(() => execFileSync("umount", ["--lazy", folder]));
  return folder;
}

/** Makes a file system as large as what it holds, and a few pages. */
function fill(folder: string, pages: number): void {
  for (let more = pages; ; more += 16) {
    const { blocks, bfree, bsize } = statfsSync(folder);
    try {
      resize(folder, (blocks - bfree) * bsize + more * PAGE);
      return;
    } catch (error) {
      // It holds more by now: the server writes meanwhile.
      if (more > 1_000) throw error;
    }
  }
}

function resize(folder: string, size: number | string): void {
  execFileSync("mount", ["-o", `remount,size=${size}`, folder], { stdio: "ignore" });
}

function refuseWrites(pid: number, refuse: boolean): void {
  execFileSync("prlimit", ["--pid", String(pid), refuse ? "--fsize=0:unlimited" : "--fsize=unlimited"]);
}
