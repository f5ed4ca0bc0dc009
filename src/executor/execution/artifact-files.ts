import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pluralize } from "../../pluralize.ts";
import { ANSWER_FILE, PLAN_FILE, readAnswerFile } from "../../runs/output/answer-file.ts";
import { DEEPEST, MAX_ARTIFACTS } from "../../runs/output/artifact.ts";
import { artifactFile } from "../../runs/output/artifact-folder.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import type { FileWorker } from "../files/file-worker.ts";

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
