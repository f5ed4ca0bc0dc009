import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { Command } from "commander";
import type { Models } from "../client/client.ts";
import { errorMessage, MillraceError, systemCode } from "../error.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { print, printJson } from "./output.ts";
import { short } from "./status.ts";

export function exportCommand(): Command {
  return asClientCommand(new Command("export").argument("[factory]"), { ofFactory: true })
    .description("write the files of the revision in force, which applied again change nothing")
    .requiredOption("--output <folder>", "where to write them: a folder that is empty or not there yet")
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
  else print(`Wrote ${files.length} files of ${short(revision)} into ${options.output}.`);
}

async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error) => {
    if (systemCode(error) === "ENOENT") return [];
    throw refuse(`${folder} cannot be written into: ${errorMessage(error)}.`);
  });
  if (entries.length > 0) throw refuse(`The folder ${folder} is not empty.`);
}

/** The server is not asked to be believed in where its files go. */
async function write(folder: string, { path, encoding, content }: Models["ExportedFile"]): Promise<void> {
  const target = resolve(folder, path);
  if (!target.startsWith(resolve(folder) + sep)) throw refuse(`The server names a file outside: ${path}.`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, Buffer.from(content, encoding === "base64" ? "base64" : "utf8"));
}

function refuse(message: string): MillraceError {
  return new MillraceError("invalid_request", message, { remedy: "Name another folder with --output." });
}
