import type { RunStore } from "../../src/runs/run.ts";
import type { TurnDoor } from "../../src/runs/turns/turn-door.ts";

/** The part of a turn's door through which the files of its agent are listed. */
export function artifactDoor(
  store: Pick<RunStore, "addArtifact" | "listArtifacts">,
  runId: string,
): Pick<TurnDoor, "addArtifact" | "listArtifacts"> {
  return {
    addArtifact: (artifact, most) => store.addArtifact(runId, artifact, most),
    listArtifacts: async () => (await store.listArtifacts([runId]))[runId] ?? [],
  };
}
