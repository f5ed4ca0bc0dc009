import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { errorMessage, MillraceError, systemCode } from "../../errors/error.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { print, printJson } from "../output.ts";
import { short } from "../server/status.ts";

export function exportCommand(): Command {
  return asClientCommand(new Command("export").argument("[factory]"), { ofFactory: true })
    .description("export the files of the applied revision; applying them again changes nothing")
    .requiredOption("--output <folder>", "destination folder; must be empty or not exist")
    .action(exportFactory);
}

async function exportFactory(
  named: string | undefined,
  options: ConnectOptions & { output: string },
): Promise<void> {
  const client = connect(options);
  const factory = named ?? (await chosenFactory(client, options));
  await requireEmpty(options.output);
  const { revision, files } = await client.factories.export(factory);
  await mkdir(options.output, { recursive: true });
  for (const file of files) await write(options.output, file);
  if (options.json) printJson({ revision, files: files.map(({ path }) => path) });
  else print(`Wrote ${files.length} files of revision ${short(revision)} to ${options.output}.`);
}

async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error) => {
    if (systemCode(error) === "ENOENT") return [];
    throw refuse(`Cannot write to ${folder}: ${errorMessage(error)}.`);
  });
  if (entries.length > 0) throw refuse(`The folder ${folder} is not empty.`);
}

/** The server is not asked to be believed in where its files go. */
async function write(folder: string, { path, encoding, content }: Models["ExportedFile"]): Promise<void> {
  const target = resolve(folder, path);
  if (!target.startsWith(resolve(folder) + sep))
    throw refuse(`The server returned a path outside the folder: ${path}.`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, Buffer.from(content, encoding === "base64" ? "base64" : "utf8"));
}

function refuse(message: string): MillraceError {
  return new MillraceError("invalid_request", message, { remedy: "Specify another folder with --output." });
}
