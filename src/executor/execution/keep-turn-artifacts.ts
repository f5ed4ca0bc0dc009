import { errorMessage } from "../../errors/error.ts";
import type { Run } from "../../runs/run.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import type { TranscriptWriter } from "../output/transcript-writer.ts";
import type { TakenWorkspace } from "../workspace/workspaces.ts";
import { collectArtifacts } from "./artifact-files.ts";
import type { AgentDeps } from "./run-agent.ts";

/** A turn whose agent has ended. */
interface EndedTurn {
  run: Run;
  door: TurnDoor;
  taken: Pick<TakenWorkspace, "path">;
  transcript: Pick<TranscriptWriter, "note">;
  hidden: readonly string[];
}

/**
 * Keeps the files that an agent has left. What cannot be kept is told, and ends nothing: the work itself is done.
 *
 * @returns the answer and the plan among the files, if any
 */
export async function keepArtifacts(
  { run, door, taken, transcript, hidden }: EndedTurn,
  { files, artifacts }: Pick<AgentDeps, "files" | "artifacts">,
): Promise<{ answer?: string; plan?: string }> {
  const options = {
    door,
    files,
    runId: run.id,
    turn: run.turn,
    workspace: taken.path,
    kept: artifacts,
    secrets: hidden,
  };
  const kept: Awaited<ReturnType<typeof collectArtifacts>> = await collectArtifacts(options).catch(
    (error) => ({
      notes: [`the files in artifacts/ could not be stored: ${errorMessage(error)}`],
    }),
  );
  const { notes, ...texts } = kept;
  for (const note of notes) transcript.note(note);
  return texts;
}
