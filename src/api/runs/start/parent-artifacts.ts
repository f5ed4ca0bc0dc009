import { basename } from "node:path";
import { buffer } from "node:stream/consumers";
import { MillraceError } from "../../../errors/error.ts";
import { type ArtifactBytes, openIntact } from "../../../runs/output/artifact-bytes.ts";
import type { Artifact } from "../../../runs/rules/artifact.ts";
import type { NewAttachment, Run } from "../../../runs/run.ts";
import type { RunDeps } from "../run-deps.ts";
import { invalidField } from "./agent-config-check.ts";

/** Of all of them together: attachments are kept in the store. */
const MAX_BYTES = 8 * 1024 * 1024;
/** So many are named in an error. */
const MAX_NAMED = 20;

/**
 * Files that a run has left, as attachments of a run that it starts. Of the files that several turns have left at one path, the
 * last one counts.
 * @param wanted their paths or UIDs
 * @throws MillraceError `invalid_request` that names what is not there, `payload_too_large`
 */
export async function parentArtifacts(
  wanted: readonly string[],
  parent: Pick<Run, "id"> | undefined,
  { runs, artifacts: kept }: Pick<RunDeps, "runs" | "artifacts">,
): Promise<NewAttachment[]> {
  if (wanted.length === 0) return [];
  if (!parent) throw invalidField("artifacts", "requires parent_run_id, the run whose artifacts they are");
  const left = (await runs.listArtifacts([parent.id]))[parent.id] ?? [];
  const found = wanted.map((name, index) => findFile(left, name) ?? missing(name, index, left, parent));
  const bytes = found.reduce((sum, { data }) => sum + (data.size_bytes ?? 0), 0);
  if (bytes > MAX_BYTES) {
    throw new MillraceError(
      "payload_too_large",
      `The artifacts are ${bytes} bytes; the limit is ${MAX_BYTES}.`,
      {
        remedy: "Pass smaller files, or have the new run clone the repository that they come from.",
        extra: { field: "artifacts" },
      },
    );
  }
  return Promise.all(found.map((artifact) => attachmentOf(artifact, parent, kept)));
}

function findFile(left: readonly Artifact[], name: string): Artifact | undefined {
  return left.findLast(({ id, type, data }) => type === "FILE" && (data.filepath === name || id === name));
}

async function attachmentOf(
  { id, data }: Artifact,
  parent: Pick<Run, "id">,
  kept: ArtifactBytes,
): Promise<NewAttachment> {
  const path = data.filepath ?? id;
  const file = await openIntact(kept, { runId: parent.id, fileId: id }, data.sha256);
  if (!file) throw invalidField("artifacts", `the file of the artifact ${JSON.stringify(path)} was deleted`);
  const content = await buffer(file.bytes);
  return { name: basename(path), mimeType: data.mime_type ?? "application/octet-stream", content };
}

function missing(name: string, index: number, left: readonly Artifact[], { id }: Pick<Run, "id">): never {
  const paths = left.flatMap(({ type, data }) => (type === "FILE" ? [data.filepath ?? ""] : []));
  throw new MillraceError(
    "invalid_request",
    `artifacts[${index}]: run ${id} has no file artifact ${JSON.stringify(name)}.`,
    {
      remedy:
        paths.length === 0
          ? "It has none: report a file first, with `millrace agent report file PATH`."
          : `It has ${paths.slice(-MAX_NAMED).join(", ")}.`,
      extra: { field: `artifacts[${index}]` },
    },
  );
}
