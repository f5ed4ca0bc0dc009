import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import mimeTypes from "mime-types";
import { newUuid } from "../id.ts";
import { type Artifact, type ArtifactData, isSameArtifact, MOST_ARTIFACTS } from "./artifact.ts";
import type { RunStore } from "./run.ts";

/** The folder of a workspace in which an agent leaves what it wants to be kept. */
export const ARTIFACTS = "artifacts";

/** What a run may leave in one turn. */
const MOST_BYTES = 256 * 1024 * 1024;
const DEEPEST = 8;

export interface CollectOptions {
  store: Pick<RunStore, "addArtifact" | "listArtifacts">;
  run: { id: string; turn: number };
  workspace: string;
  /** Where the files of all runs are kept. */
  kept: string;
  now: () => Date;
}

/**
 * Keeps the files that an agent has left in its folder `artifacts/`, once nothing of it is alive any more. Only plain
 * files count: a link could point to what the agent itself could not read.
 * @returns what was left out and why, in words; nothing when all is kept
 */
export async function collectArtifacts({
  store,
  run,
  workspace,
  kept,
  now,
}: CollectOptions): Promise<string | undefined> {
  const files = await listFiles(join(workspace, ARTIFACTS));
  if (files.length === 0) return undefined;
  const known = (await store.listArtifacts([run.id]))[run.id] ?? [];
  let room = MOST_BYTES;
  let leftOut = 0;
  for (const file of files) {
    if (known.length >= MOST_ARTIFACTS || file.size > room) {
      leftOut += 1;
      continue;
    }
    room -= file.size;
    const id = newUuid();
    const place = artifactFile(kept, run.id, id);
    const sha256 = await keepFile(join(workspace, ARTIFACTS, file.path), place).catch(() => undefined);
    if (sha256 === undefined) {
      leftOut += 1;
      continue;
    }
    const artifact: Artifact = {
      id,
      turn: run.turn,
      type: "FILE",
      data: fileData(id, file, sha256),
      createdAt: now().toISOString(),
    };
    if (known.some((each) => isSameArtifact(each, artifact))) {
      await rm(place);
      continue;
    }
    await store.addArtifact(run.id, artifact);
    known.push(artifact);
  }
  if (leftOut === 0) return undefined;
  return `${leftOut} files of ${ARTIFACTS}/ were not kept: they could not be copied, or a run has left more than ${MOST_ARTIFACTS} artifacts, or more than ${MOST_BYTES / 1024 / 1024} MiB of files in one turn`;
}

/** Where the bytes of an artifact lie. */
export function artifactFile(kept: string, runId: string, artifactId: string): string {
  return join(kept, runId, artifactId);
}

interface LeftFile {
  /** Below the folder, with `/`. */
  path: string;
  size: number;
}

async function listFiles(folder: string, below = "", depth = 0): Promise<LeftFile[]> {
  const stat = await lstat(folder).catch(() => undefined);
  if (!stat?.isDirectory() || depth > DEEPEST) return [];
  const found: LeftFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await listFiles(join(folder, entry.name), path, depth + 1)));
    if (!entry.isFile()) continue;
    const { size, nlink } = await lstat(join(folder, entry.name));
    if (nlink === 1) found.push({ path, size });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Copies a file, whole and durable, to where nobody looks for it before it is listed. @returns its SHA-256, hexadecimal */
async function keepFile(from: string, to: string): Promise<string> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  const copy = await open(to, "wx", 0o600);
  try {
    for await (const bytes of source.createReadStream({ autoClose: false })) {
      hash.update(bytes);
      await copy.writeFile(bytes);
    }
    await copy.sync();
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  } finally {
    await Promise.all([source.close(), copy.close()]);
  }
  return hash.digest("hex");
}

function fileData(id: string, { path, size }: LeftFile, sha256: string): ArtifactData {
  return {
    artifact_uid: id,
    filename: basename(path),
    filepath: path,
    mime_type: mimeTypes.lookup(path) || "application/octet-stream",
    size_bytes: size,
    sha256,
  };
}
