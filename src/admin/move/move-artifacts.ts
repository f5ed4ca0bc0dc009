import { createHash } from "node:crypto";
import { MillraceError } from "../../errors/error.ts";
import { isUuid } from "../../id.ts";
import type { ArtifactBytes, ArtifactFile } from "../../runs/output/artifact-bytes.ts";
import { artifactFolder } from "../../runs/output/artifact-folder.ts";
import type { ArtifactRowStore } from "../../runs/output/artifact-row-store.ts";
import { artifactRows } from "../../runs/output/artifact-rows.ts";

interface Places {
  from: ArtifactBytes;
  to: ArtifactBytes;
}

/** On PostgreSQL the bytes of artifacts are rows, and on SQLite they are files of the data folder. */
export function artifactPlaces(
  { artifactRows: rows }: { artifactRows: ArtifactRowStore },
  { isToFile, folder, now }: { isToFile: boolean; folder: string; now: () => Date },
): Places {
  const [inFolder, inRows] = [artifactFolder(folder), artifactRows(rows, now)];
  return isToFile ? { from: inRows, to: inFolder } : { from: inFolder, to: inRows };
}

/**
 * Copies every file that is whole, and reads it back.
 * @returns how many
 * @throws MillraceError when one is not the same afterwards
 */
export async function moveArtifacts(places: Places): Promise<number> {
  let moved = 0;
  for await (const runIds of places.from.listRuns()) {
    for (const runId of runIds) {
      // What has not come whole has a longer name, and is sent again.
      const fileIds = (await places.from.list(runId)).filter(isUuid);
      for (const fileId of fileIds) if (await moveArtifact(places, { runId, fileId })) moved += 1;
    }
  }
  return moved;
}

async function moveArtifact({ from, to }: Places, file: ArtifactFile): Promise<boolean> {
  const found = await from.open(file);
  if (!found) return false;
  const sent = createHash("sha256");
  await to.write(file, { bytes: hashed(found.bytes, sent), offset: 0, isLast: true });
  const kept = createHash("sha256");
  for await (const bytes of (await to.open(file))?.bytes ?? []) kept.update(bytes);
  if (kept.digest("hex") === sent.digest("hex")) return true;
  throw new MillraceError(
    "service_unavailable",
    `The artifact ${file.fileId} of the run ${file.runId} is not the same in the target as in the source.`,
    { remedy: "The source was not changed. Report this." },
  );
}

async function* hashed(
  bytes: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
