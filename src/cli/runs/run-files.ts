import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { runIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { print, printError, printJson, printTable } from "../output.ts";
import { safePath, writeSafely } from "../safe-file.ts";
import { findRunId, findRunOrLatest, RUN_OR_LATEST } from "./find-run.ts";

interface ArtifactsOptions extends ConnectOptions {
  output?: string;
  force?: true;
}

type Artifact = Models["Artifact"];

export function runArtifactsCommand(): Command {
  return asClientCommand(
    new Command("artifacts").description("list the artifacts of a run, or download its files"),
  )
    .argument("[id]", RUN_OR_LATEST, runIdStart)
    .option("--output <dir>", "download the files into this folder; created if missing")
    .option("--force", "replace existing files")
    .addHelpText(
      "after",
      "\nAgents choose the names of their files. Files are only written below the folder, and a name that begins with a dot gets an underscore instead. If a file is not written, the exit code is 1.",
    )
    .action(artifacts);
}

async function artifacts(given: string | undefined, options: ArtifactsOptions): Promise<void> {
  const { output, force = false, json } = options;
  if (force && output === undefined) {
    throw new MillraceError("invalid_request", "--force requires --output.", {
      remedy: "Specify the folder for the files with --output.",
    });
  }
  const client = connect(options);
  const { artifacts: all = [] } = await client.runs.get(await findRunOrLatest(client, given));
  if (output !== undefined) return download(client, all, { output, force, json });
  if (json) printJson(all);
  else if (all.length === 0) print("The run has no artifacts.");
  else printTable(["TYPE", "SIZE", "NAME"], all.map(rowOf), { isCut: true });
}

function rowOf({ artifact_type, data }: Artifact): string[] {
  const named = data.filepath ?? data.title ?? data.filename;
  const name = [...new Set([named, data.url])].filter((part) => part !== undefined).join(" ");
  const warning = data.contains_secret ? " (contains a secret)" : "";
  return [
    artifact_type,
    data.size_bytes === undefined ? "-" : String(data.size_bytes),
    `${name || "-"}${warning}`,
  ];
}

async function download(
  client: Millrace,
  all: readonly Artifact[],
  { output, force, json }: { output: string; force: boolean; json: boolean | undefined },
): Promise<void> {
  const written: { artifact_uid: string; filepath: string; path: string }[] = [];
  const files = newestFiles(all);
  for (const { data } of files) {
    const filepath = data.filepath ?? data.filename ?? data.artifact_uid;
    try {
      const names = safePath(filepath);
      const response = await client.runs.artifactFile(data.artifact_uid).asResponse();
      const content = checked(response.body ?? [], data);
      const path = await writeSafely(output, names, content, { replaces: force });
      written.push({ artifact_uid: data.artifact_uid, filepath, path });
      if (!json) print(`wrote ${path}${data.contains_secret ? " (contains a secret)" : ""}`);
    } catch (error) {
      process.exitCode = EXIT_CODES.no;
      const remedy = error instanceof MillraceError && error.remedy ? ` ${error.remedy}` : "";
      printError(`Cannot download ${filepath}: ${errorMessage(error)}${remedy}`);
    }
  }
  if (json) printJson(written);
  else if (files.length === 0) print("The run has no files to download.");
}

/** Of the files that several turns left at one path, the last one counts. */
function newestFiles(all: readonly Artifact[]): Artifact[] {
  const files = all.filter(({ artifact_type }) => artifact_type === "FILE");
  return [...new Map(files.map((file) => [file.data.filepath ?? file.data.artifact_uid, file])).values()];
}

/** A file as it arrives. @throws Error at its end if it is not the one that the run left */
async function* checked(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { sha256 }: Artifact["data"],
) {
  const hash = createHash("sha256");
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
  if (sha256 !== undefined && hash.digest("hex") !== sha256)
    throw new Error("The content differs from what the run left.");
}

interface AttachmentOptions extends ConnectOptions {
  output?: string;
}

export function runAttachmentsCommand(): Command {
  return asClientCommand(
    new Command("attachments").description("list the attachments of a run, or print one"),
  )
    .argument("<id>", "run ID, or its first characters", runIdStart)
    .argument("[name]", "attachment to print, byte for byte")
    .option("--output <file>", "write the attachment to a file instead")
    .action((id: string, name: string | undefined, options: AttachmentOptions) =>
      name === undefined ? list(id, options) : get(id, name, options),
    );
}

async function list(given: string, { output, ...options }: AttachmentOptions): Promise<void> {
  if (output !== undefined) {
    throw new MillraceError("invalid_request", "--output requires the name of an attachment.", {
      remedy: "Specify the attachment after the run ID.",
    });
  }
  const client = connect(options);
  const { attachments } = await client.runs.listAttachments(await findRunId(client, given));
  if (options.json) printJson(attachments);
  else if (attachments.length === 0) print("The run has no attachments.");
  else {
    printTable(
      ["NAME", "SIZE", "TYPE"],
      attachments.map(({ name, size, mime_type }) => [name, String(size), mime_type]),
    );
  }
}

async function get(given: string, name: string, { output, ...options }: AttachmentOptions): Promise<void> {
  const client = connect(options);
  const bytes = await client.runs.attachment(await findRunId(client, given), name);
  if (output === undefined) {
    process.stdout.write(bytes);
    return;
  }
  try {
    await writeFile(output, bytes);
  } catch (error) {
    throw new MillraceError("invalid_request", `Cannot write ${output}: ${errorMessage(error)}.`, {
      remedy: "Specify a file in an existing folder that you have permission to write to.",
    });
  }
}
