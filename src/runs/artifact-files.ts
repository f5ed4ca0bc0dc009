import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import mimeTypes from "mime-types";
import { newUuid } from "../id.ts";
import { type Artifact, type ArtifactData, isSameArtifact, MOST_ARTIFACTS } from "./artifact.ts";
import type { RunStore } from "./run.ts";
import { type OpenFolder, openFileBeneath, openFolder, openFolderBeneath } from "./workspace/open-beneath.ts";

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
 * files count, and no link is followed on the way to them: it could lead to what the agent itself could not read. That
 * holds even where something of the agent is still alive and changes the folder while it is read.
 * @returns what was left out and why, in words; nothing when all is kept
 */
export async function collectArtifacts(options: CollectOptions): Promise<string | undefined> {
  const workspace = await openFolder(options.workspace).catch(() => undefined);
  if (!workspace) return undefined;
  try {
    return await collectFrom(workspace, options);
  } finally {
    await workspace.close();
  }
}

async function collectFrom(
  workspace: OpenFolder,
  { store, run, kept, now }: CollectOptions,
): Promise<string | undefined> {
  const files = await listFiles(workspace, [ARTIFACTS]);
  if (files.length === 0) return undefined;
  const known = (await store.listArtifacts([run.id]))[run.id] ?? [];
  let room = MOST_BYTES;
  let leftOut = 0;
  for (const path of files) {
    if (known.length >= MOST_ARTIFACTS) {
      leftOut += 1;
      continue;
    }
    const id = newUuid();
    const place = artifactFile(kept, run.id, id);
    const file = await keepFile(workspace, [ARTIFACTS, ...path], place, room).catch(() => undefined);
    if (file === undefined) {
      leftOut += 1;
      continue;
    }
    room -= file.size;
    const artifact: Artifact = {
      id,
      turn: run.turn,
      type: "FILE",
      data: fileData(id, path.join("/"), file),
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

/** The files below a folder of the workspace, as the names that lead to each from there. */
async function listFiles(workspace: OpenFolder, names: readonly string[]): Promise<string[][]> {
  const folder = await openFolderBeneath(workspace, names).catch(() => undefined);
  if (!folder) return [];
  try {
    const found: string[][] = [];
    for (const entry of await readdir(folder.path, { withFileTypes: true })) {
      const path = [...names.slice(1), entry.name];
      if (entry.isDirectory() && names.length <= DEEPEST)
        found.push(...(await listFiles(workspace, [...names, entry.name])));
      if (entry.isFile()) found.push(path);
    }
    return found.sort((a, b) => (a.join("/") < b.join("/") ? -1 : 1));
  } finally {
    await folder.close();
  }
}

/** A file that was copied. */
interface KeptFile {
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Copies a file, whole and durable, to where nobody looks for it before it is listed. */
async function keepFile(
  workspace: OpenFolder,
  names: readonly string[],
  to: string,
  room: number,
): Promise<KeptFile> {
  const source = await openFileBeneath(workspace, names);
  try {
    if ((await source.stat()).size > room) throw tooLarge(names);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    return await copyInto(to, source, room, names);
  } finally {
    await source.close();
  }
}

async function copyInto(
  to: string,
  source: FileHandle,
  room: number,
  names: readonly string[],
): Promise<KeptFile> {
  const hash = createHash("sha256");
  const copy = await open(to, "wx", 0o600);
  let size = 0;
  try {
    for await (const bytes of source.createReadStream({ autoClose: false })) {
      size += bytes.length;
      // It may grow while it is read.
      if (size > room) throw tooLarge(names);
      hash.update(bytes);
      await copy.writeFile(bytes);
    }
    await copy.sync();
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  } finally {
    await copy.close();
  }
  return { size, sha256: hash.digest("hex") };
}

function tooLarge(names: readonly string[]): Error {
  return new Error(`${names.join("/")} is larger than what a turn may leave`);
}

function fileData(id: string, path: string, { size, sha256 }: KeptFile): ArtifactData {
  return {
    artifact_uid: id,
    filename: basename(path),
    filepath: path,
    mime_type: mimeTypes.lookup(path) || "application/octet-stream",
    size_bytes: size,
    sha256,
  };
}
