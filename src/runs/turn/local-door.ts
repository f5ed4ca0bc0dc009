import type { ArtifactBytes } from "../output/artifact-bytes.ts";
import { artifactFile } from "../output/artifact-folder.ts";
import { awaitStore, type StorePatience } from "./await-store.ts";
import { callOf, doorOf } from "./turn-calls.ts";
import type { TurnDoor } from "./turn-door.ts";

/**
 * The door of a turn that is executed on the server's own machine, in its process. The bytes of a file are kept before it is listed,
 * and a store that is away is waited for, as workers elsewhere wait for the server.
 * @param copied where the executor has copied the files of all runs
 */
export function localDoor(
  door: TurnDoor,
  runId: string,
  { kept, copied }: { kept: ArtifactBytes; copied: string },
  patience: StorePatience,
): TurnDoor {
  const keeping: TurnDoor = {
    ...door,
    async addFile(file) {
      const place = { runId, fileId: file.id };
      await kept.take(place, artifactFile(copied, runId, file.id));
      const limit = await door.addFile(file);
      if (limit !== undefined) await kept.remove(place);
      return limit;
    },
  };
  return doorOf((name, { waits }) => {
    const call = callOf(keeping, name);
    return waits ? (...told) => awaitStore(() => call(...told), patience) : call;
  });
}
