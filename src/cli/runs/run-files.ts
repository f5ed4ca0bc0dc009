import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { runIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { print, printJson, printTable } from "../output.ts";
import { findRunId } from "./find-run.ts";

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
