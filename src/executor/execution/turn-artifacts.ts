import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../../errors/error.ts";
import { pluralize } from "../../pluralize.ts";
import { artifactFile } from "../../runs/output/artifact-folder.ts";
import { DEEPEST, MAX_ARTIFACTS } from "../../runs/rules/artifact.ts";
import type { Run } from "../../runs/run.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import { createMasking, maskText } from "../../secrets/masking/mask.ts";
import type { FileWorker } from "../files/file-worker.ts";
import type { TranscriptWriter } from "../output/transcript-writer.ts";
import type { TakenWorkspace } from "../workspace/workspaces.ts";
import type { AgentDeps } from "./run-agent.ts";

/** The folder of a workspace in which an agent leaves what it wants to be kept. */
export const ARTIFACTS = "artifacts";

/** What a run may leave in one turn. */
const MAX_BYTES = 256 * 1024 * 1024;

export interface CollectOptions {
  door: Pick<TurnDoor, "addFile" | "listArtifacts">;
  files: Pick<FileWorker, "run">;
  runId: string;
  turn: number;
  workspace: string;
  /** Where the files of all runs are copied to, before they are listed. */
  kept: string;
  /** Values that the run was granted: files that hold one are marked. */
  secrets: readonly string[];
}

/**
 * Keeps the files that an agent has left in its folder `artifacts/`, once nothing of it is alive any more. Another process
 * finds and copies them, however many they are.
 * @returns what there is to say about them: what was left out and why, and which of them hold a secret; and the answer and
 * the plan, if the agent has left new ones
 */
export async function collectArtifacts(
  options: CollectOptions,
): Promise<{ notes: string[]; answer?: string; plan?: string }> {
  const { door, files, runId, turn, workspace, kept, secrets } = options;
  const known = (await door.listArtifacts()).filter(({ type }) => type === "FILE");
  const { result } = await files.run("keepArtifacts", {
    workspace,
    folder: ARTIFACTS,
    to: join(kept, runId),
    most: MAX_ARTIFACTS,
    mostBytes: MAX_BYTES,
    deepest: DEEPEST,
    secrets,
  });
  let { skipped } = result;
  const withSecrets: string[] = [];
  const texts: { [path: string]: string | undefined } = { [ANSWER_FILE]: undefined, [PLAN_FILE]: undefined };
  for (const copied of result.files) {
    const path = copied.path.join("/");
    const file = { ...copied, path };
    const before = known.filter(({ data }) => data.filepath === path && data.sha256 === file.sha256);
    const isKnown = before.length > 0;
    // An executor that was killed may have listed it in this turn, and not have told what it says.
    if (!before.some((artifact) => artifact.turn < turn) && path in texts)
      texts[path] = await readAnswerFile(artifactFile(kept, runId, file.id), secrets);
    const isSkipped = !isKnown && (await door.addFile(file)) !== undefined;
    if (isSkipped) skipped += 1;
    if (isKnown || isSkipped) {
      await rm(artifactFile(kept, runId, file.id), { force: true });
      continue;
    }
    if (file.holdsSecret) withSecrets.push(path);
  }
  const notes = [
    ...withSecrets.map((path) => `${ARTIFACTS}/${path} contains a secret of this run`),
    ...(skipped === 0 ? [] : [skippedNote(skipped)]),
  ];
  const { [ANSWER_FILE]: answer, [PLAN_FILE]: plan } = texts;
  return { notes, ...(answer ? { answer } : {}), ...(plan ? { plan } : {}) };
}

function skippedNote(count: number): string {
  const verb = count === 1 ? "was" : "were";
  return (
    `${pluralize(count, "file")} in ${ARTIFACTS}/ ${verb} not stored: a run can have at most ${MAX_ARTIFACTS} artifacts and ` +
    `${MAX_BYTES / 1024 / 1024} MiB of files in one turn, and files that cannot be copied, or whose names have control characters or backslashes, are skipped`
  );
}

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

/** The file in artifacts/ whose text is the answer of its turn, whatever else the agent has said. */
const ANSWER_FILE = "answer.md";

/** The file in artifacts/ whose text is the plan of a run in plan mode. */
const PLAN_FILE = "plan.md";

/** In characters. The whole file is an artifact. */
const MAX_ANSWER = 64 * 1024;
/** In bytes: more than that many characters have, so that no secret that is shown is cut before it is found. */
const MAX_READ = 512 * 1024;

/** Reads the copy of an answer that is kept, without the secrets of its run. */
async function readAnswerFile(path: string, secrets: readonly string[]): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_READ), 0, MAX_READ, 0);
    const text = buffer.subarray(0, bytesRead).toString("utf8");
    return maskText(text, createMasking(secrets)).slice(0, MAX_ANSWER).trim();
  } finally {
    await file.close();
  }
}
