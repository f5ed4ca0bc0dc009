import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { definitionEntries } from "../../definitions/loading/tree-path.ts";
import { errorMessage, MillraceError, systemCode } from "../../errors/error.ts";
import type { Tree } from "../../git/revision.ts";
import { filesToSend } from "../../git/sent-files.ts";
import type { PlanReport } from "../../plans/plan-report.ts";
import { planText } from "../../plans/plan-text.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { confirm } from "../input.ts";
import { print, printError, printJson } from "../output.ts";
import { planOfFiles, readDefinitionFolder } from "./definition-folder.ts";
import { short } from "./status.ts";

interface ImportOptions extends ConnectOptions {
  message?: string;
  yes?: boolean;
  allowDeletes?: boolean;
}

/** What an import is about. */
interface Import {
  client: Millrace;
  factory: Models["Factory"];
  dir: string;
  tree: Tree;
}

export function importCommand(): Command {
  return asClientCommand(new Command("import").argument("<dir>"), { ofFactory: true })
    .description("replace a managed definition with the contents of a folder, in one commit")
    .option("--message <text>", "commit message")
    .option("--yes", "skip the confirmation before active resources are changed or deleted")
    .option("--allow-deletes", "allow deletions that the prune guard would block")
    .action(importFolder);
}

/** Files that are not in the folder go; one that someone else changes in the meantime keeps all of it from happening. */
async function importFolder(dir: string, options: ImportOptions): Promise<void> {
  const client = connect(options);
  const factory = await client.factories.get(await chosenFactory(client, options));
  const tree = await readDefinitionFolder(dir, "millrace import");
  const files = await changesTo({ client, factory, dir, tree });
  if (files.length === 0)
    return print(
      `Nothing to import: ${dir} contains no definition files, and factory "${factory.name}" is empty.`,
    );
  const isWanted = await agreed(files, { client, factory, dir, tree }, options);
  if (!isWanted) {
    process.exitCode = EXIT_CODES.no;
    return;
  }
  const { message = `Import ${definitionEntries(tree.entries).length} files`, allowDeletes } = options;
  const changed = await client.factories.changeFiles(factory.uid, {
    files,
    message,
    ...(allowDeletes ? { allow_deletes: true } : {}),
  });
  if (options.json) return printJson(changed);
  print(`Imported ${dir} into factory "${factory.name}". Active revision: ${short(changed.revision)}.`);
  const called = (await client.factories.get(factory.uid)).name;
  if (called !== factory.name) print(`The factory is now named "${called}", as set in factory.yaml.`);
}

/** Every file of the folder, and those that are active and not in it; each that is there with its etag. */
async function changesTo({ client, factory, tree }: Import): Promise<Models["FileChange"][]> {
  const entries = definitionEntries(tree.entries);
  const wanted = filesToSend(entries, await tree.read(entries));
  const there = new Map<string, string>();
  if (factory.sync.applied_revision !== null) {
    for (const { path, etag } of await client.factories.files(factory.uid, { limit: 500 }).toArray())
      there.set(path, etag);
  }
  const paths = new Set(wanted.map(({ path }) => path));
  const tagged = (path: string) => {
    const etag = there.get(path);
    return etag === undefined ? {} : { etag };
  };
  return [
    ...[...there.keys()]
      .filter((path) => !paths.has(path))
      .map((path) => ({ path, content: null, ...tagged(path) })),
    ...wanted.map(({ path, content, encoding, executable = false }) => {
      return { path, content, executable, ...(encoding ? { encoding } : {}), ...tagged(path) };
    }),
  ];
}

/** Shows what would happen, and asks where that takes away or changes what is active. */
async function agreed(
  files: readonly Models["FileChange"][],
  { client, factory, dir, tree }: Import,
  options: ImportOptions,
): Promise<boolean> {
  // A definition that millrace does not keep is refused whatever the answer would be.
  if (factory.mode !== "managed") return true;
  const isFirst = files.every(({ etag }) => etag === undefined);
  const about = { client, factory: factory.uid, traffic: false };
  const plan = (await planOfFiles({ ...tree, mayBeEmpty: true }, resolve(dir), about)) as PlanReport;
  const gone = files.filter(({ content }) => content === null).map(({ path }) => path);
  const show = options.json ? printError : print;
  const { update, delete: deleted } = plan.summary;
  if (plan.applicable && (isFirst || update + deleted + gone.length === 0)) return true;
  show(planText(plan));
  for (const line of await silencedWebhooks(plan, client, factory.uid)) show(line);
  if (gone.length > 0) show(`\nFiles to delete: ${gone.join(", ")}`);
  if (!plan.applicable && !(options.allowDeletes && isHeldByGuard(plan))) {
    printError(notApplicable(plan));
    return false;
  }
  return confirm(`Replace the definition of factory "${factory.name}" with ${dir}?`, options);
}

async function silencedWebhooks(plan: PlanReport, client: Millrace, factory: string): Promise<string[]> {
  const uids = plan.changes
    .filter(({ kind, action }) => kind === "webhook" && action === "delete")
    .map(({ uid }) => uid);
  if (uids.length === 0) return [];
  const webhooks = await client.webhooks.list(factory, { limit: 500 }).toArray();
  const deleted = webhooks.filter(({ uid }) => uids.includes(uid));
  return ["", ...deleted.map(({ name, url }) => `webhook ${name}: ${url} will return 404`)];
}

/** Whether nothing but the prune guard stands in the way. */
function isHeldByGuard({ problems, warnings }: PlanReport): boolean {
  const blocking = warnings.filter((warning) => warning.blocking);
  const isOfGuard = ({ code }: { code: string }) =>
    code === "deletes_most_webhooks" || code === "deletes_used_webhook";
  return blocking.every(isOfGuard) && !problems.some(({ severity }) => severity === "error");
}

function notApplicable(plan: PlanReport): string {
  const remedy = isHeldByGuard(plan)
    ? "The prune guard in factory.yaml blocks it. If the deletions are intended, add --allow-deletes."
    : "Fix the problems listed in the plan.";
  return `The folder cannot be imported, so nothing was changed. ${remedy}`;
}

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
