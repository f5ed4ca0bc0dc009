import type { ArtifactBytes } from "../output/artifact-bytes.ts";
import { artifactFile } from "../output/artifact-folder.ts";
import type { TurnDoor } from "./turn-door.ts";

/**
 * The door of a turn that is executed on the server's own machine: the bytes of a file are kept before it is listed.
 * @param copied where the executor has copied the files of all runs
 */
export function keepingDoor(
  door: TurnDoor,
  runId: string,
  { kept, copied }: { kept: ArtifactBytes; copied: string },
): TurnDoor {
  return {
    ...door,
    async addFile(file) {
      const place = { runId, fileId: file.id };
      await kept.take(place, artifactFile(copied, runId, file.id));
      const limit = await door.addFile(file);
      if (limit !== undefined) await kept.remove(place);
      return limit;
    },
  };
}
