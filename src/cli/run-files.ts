import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { errorMessage, MillraceError } from "../error.ts";
import { runIdStart } from "./arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { findRunId } from "./find-run.ts";
import { print, printJson, printTable } from "./output.ts";

interface AttachmentOptions extends ConnectOptions {
  output?: string;
}

export function runAttachmentsCommand(): Command {
  return asClientCommand(
    new Command("attachments").description("list the files that a run was given, or print one"),
  )
    .argument("<id>", "the id of the run, or how it begins", runIdStart)
    .argument("[name]", "the file to print, byte for byte")
    .option("--output <file>", "write it to a file instead")
    .action((id: string, name: string | undefined, options: AttachmentOptions) =>
      name === undefined ? list(id, options) : get(id, name, options),
    );
}

async function list(given: string, { output, ...options }: AttachmentOptions): Promise<void> {
  if (output !== undefined) {
    throw new MillraceError("invalid_request", "Nothing is said to be written to --output.", {
      remedy: "Name the attachment after the id of the run.",
    });
  }
  const client = connect(options);
  const { attachments } = await client.runs.listAttachments(await findRunId(client, given));
  if (options.json) printJson(attachments);
  else if (attachments.length === 0) print("The run was given no files.");
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
    throw new MillraceError("invalid_request", `${output} cannot be written: ${errorMessage(error)}.`, {
      remedy: "Name a file in a folder that exists and that you may write to.",
    });
  }
}
