import { Command } from "commander";
import type { Models } from "../client/client.ts";
import { definitionEntries } from "../definitions/tree-path.ts";
import { filesToSend } from "../git/sent-files.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { readDefinitionFolder } from "./definition-folder.ts";
import { print, printJson } from "./output.ts";
import { short } from "./status.ts";

export function importCommand(): Command {
  return asClientCommand(new Command("import").argument("<dir>"), { ofFactory: true })
    .description("make a definition that millrace keeps what a folder holds, in one commit")
    .option("--message <text>", "what the commit says")
    .action(importFolder);
}

/** Files that are not in the folder go; one that somebody else changes meanwhile keeps all of it from happening. */
async function importFolder(dir: string, options: ConnectOptions & { message?: string }): Promise<void> {
  const client = connect(options);
  const { uid: factory, name, sync } = await client.factories.get(await chosenFactory(client, options));
  const tree = await readDefinitionFolder(dir, "millrace import");
  const entries = definitionEntries(tree.entries);
  const wanted = filesToSend(entries, await tree.read(entries));
  const there = new Map<string, string>();
  if (sync.applied_revision !== null) {
    for (const { path, etag } of await client.factories.files(factory, { limit: 500 }).toArray())
      there.set(path, etag);
  }
  const paths = new Set(wanted.map(({ path }) => path));
  const tagged = (path: string) => {
    const etag = there.get(path);
    return etag === undefined ? {} : { etag };
  };
  const files: Models["FileChange"][] = [
    ...[...there.keys()]
      .filter((path) => !paths.has(path))
      .map((path) => ({ path, content: null, ...tagged(path) })),
    ...wanted.map(({ path, content, encoding, executable = false }) => {
      return { path, content, executable, ...(encoding ? { encoding } : {}), ...tagged(path) };
    }),
  ];
  if (files.length === 0)
    return print(`There is nothing of a definition in ${dir}, and nothing in "${name}".`);
  const { message = `Import ${entries.length} files` } = options;
  const changed = await client.factories.changeFiles(factory, { files, message });
  if (options.json) return printJson(changed);
  print(`The factory "${name}" is what ${dir} holds, with ${short(changed.revision)} in force.`);
  const called = (await client.factories.get(factory)).name;
  if (called !== name) print(`It is called "${called}" now, as the factory.yaml there says.`);
}
