import type { ArtifactBytes } from "../runs/output/artifact-bytes.ts";
import { artifactFolder } from "../runs/output/artifact-folder.ts";
import type { ArtifactRowStore } from "../runs/output/artifact-row-store.ts";
import { artifactRows } from "../runs/output/artifact-rows.ts";

export interface KeptArtifacts {
  /** Where the files that agents leave are kept. */
  kept: ArtifactBytes;
  /** Where the executor of this server copies them to first: the same place, unless they are kept elsewhere. */
  copied: string;
  /** Every place in which something can be left over. */
  swept: readonly ArtifactBytes[];
}

/**
 * Says where the bytes of artifacts are: files of the data folder, or rows of a store that other servers have too.
 * @param isShared whether they have
 */
export function openArtifactBytes(
  folder: string,
  { rows, isShared, now }: { rows: ArtifactRowStore; isShared: boolean; now: () => Date },
): KeptArtifacts {
  const files = artifactFolder(folder);
  if (!isShared) return { kept: files, copied: folder, swept: [files] };
  const kept = artifactRows(rows, now);
  return { kept, copied: folder, swept: [kept, files] };
}
