import { spawnSync } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface ReserveOptions {
  /** Where it is; it is complete when it is there. */
  folder: string;
  bytes: number;
  /** Empty files, each of which takes what a file system needs for one. */
  files: number;
}

const PIECE_BYTES = 1024 * 1024;
const BLOCK_BYTES = 512;

/** Takes disk space that can be given back at once when the disk is full. */
export function* makeReserve({ folder, bytes, files }: ReserveOptions): Generator<void, void> {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft, { mode: 0o700 });
    yield* takeSpace(join(draft, "space"), bytes);
    for (let number = 0; number < files; number += 1) {
      closeSync(openSync(join(draft, `file-${number}`), "wx", 0o600));
      yield;
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

function* takeSpace(file: string, bytes: number): Generator<void, void> {
  closeSync(openSync(file, "wx", 0o600));
  spawnSync("fallocate", ["--length", String(bytes), file], { env: { PATH: PATHS }, stdio: "ignore" });
  const { blocks } = statSync(file);
  if (blocks * BLOCK_BYTES >= bytes) return;
  // Not every file system can do that. Random bytes take their space also where others would be compressed.
  const piece = randomFillSync(Buffer.alloc(PIECE_BYTES));
  const open = openSync(file, "w", 0o600);
  try {
    for (let written = 0; written < bytes; written += piece.length) {
      randomFillSync(piece, 0, BLOCK_BYTES);
      writeSync(open, piece);
      yield;
    }
  } finally {
    closeSync(open);
  }
}

const PATHS = "/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin";
