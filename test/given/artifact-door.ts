import { fileArtifact, MAX_FILES } from "../../src/runs/rules/artifact.ts";
import type { RunStore } from "../../src/runs/run-store.ts";
import type { TurnDoor } from "../../src/runs/turn/turn-door.ts";

/** The part of a turn's door through which the files of its agent are listed. */
export function artifactDoor(
  store: Pick<RunStore, "addArtifact" | "listArtifacts">,
  runId: string,
): Pick<TurnDoor, "addFile" | "listArtifacts"> {
  return {
    addFile: (file) => store.addArtifact(runId, fileArtifact(file, { turn: 1, at: new Date() }), MAX_FILES),
    listArtifacts: async () => (await store.listArtifacts([runId]))[runId] ?? [],
  };
}
