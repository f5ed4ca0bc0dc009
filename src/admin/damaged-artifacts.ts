import { type ArtifactBytes, isIntact } from "../runs/output/artifact-bytes.ts";
import type { RunArtifactStore } from "../runs/rules/artifact.ts";

export interface CheckedArtifacts {
  checked: number;
  /** Files that are missing, or whose bytes are not those that were recorded. */
  damaged: { runId: string; fileId: string; filepath: string | undefined }[];
}

/** Compares all files that runs have left with the checksums that were recorded. */
export async function findDamagedArtifacts(
  kept: ArtifactBytes,
  runs: Pick<RunArtifactStore, "listArtifacts">,
): Promise<CheckedArtifacts> {
  const found: CheckedArtifacts = { checked: 0, damaged: [] };
  for await (const runIds of kept.listRuns()) {
    for (const [runId, artifacts] of Object.entries(await runs.listArtifacts(runIds))) {
      for (const { id: fileId, type, data } of artifacts) {
        if (type !== "FILE" || data.sha256 === undefined) continue;
        found.checked += 1;
        if (await isIntact(kept, { runId, fileId }, data.sha256)) continue;
        found.damaged.push({ runId, fileId, filepath: data.filepath });
      }
    }
  }
  return found;
}
