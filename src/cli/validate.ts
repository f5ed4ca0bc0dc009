import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import { counted } from "../counted.ts";
import { type Loaded, loadDefinition } from "../definitions/load.ts";
import { nearMiss } from "../definitions/near-miss.ts";
import { formatProblem, hasErrors, type Problem, sortProblems } from "../definitions/problem.ts";
import { repositoriesWithoutForge } from "../definitions/rules/forge-rules.ts";
import { harnessesAreKnown, runnersAreThere } from "../definitions/rules/reference-rules.ts";
import { createForges } from "../forge/forge.ts";
import { locateSource, sourceName } from "../git/source-location.ts";
import { createHarnesses } from "../runs/harness/harness.ts";
import { readDefinitionFolder } from "./definition-folder.ts";
import { print, printError, printJson } from "./output.ts";
import { githubAnnotation, sarifLog, seenFrom } from "./problem-formats.ts";
import { readSettingsFile } from "./settings-file.ts";

const FORMATS = ["text", "json", "github", "sarif"] as const;
type Format = (typeof FORMATS)[number];

export function validateCommand(): Command {
  return new Command("validate")
    .argument("[dir]", "the root of a definition tree", ".")
    .description(
      "parse and check a definition tree, without a server; exit 0 valid, 1 invalid, 2 could not run",
    )
    .option("--config <file>", "the millrace.yaml of the server, for what it says of forges and harnesses")
    .addOption(new Option("--format <format>", "how to print problems").choices(FORMATS).default("text"))
    .action(validateFolder);
}

interface ValidateOptions {
  format: Format;
  config?: string;
}

async function validateFolder(dir: string, { format, config }: ValidateOptions): Promise<void> {
  const root = resolve(dir);
  const tree = await readDefinitionFolder(dir, "millrace validate");
  const loaded = await loadDefinition(tree, sourceName(locateSource(root)));
  const { definition } = loaded;
  const problems = sortProblems([...loaded.problems, ...(await problemsWithSettings(loaded, config))]);
  const valid = !hasErrors(problems);
  if (format === "json") printJson({ valid, problems });
  else if (format === "sarif") printJson(sarifLog(problems.map(seenFrom(root))));
  else if (format === "github")
    for (const problem of problems.map(seenFrom(root))) print(githubAnnotation(problem));
  else {
    for (const problem of problems) print(`${formatProblem(problem, await textOf(root, problem))}\n`);
    print(valid && definition ? `Valid: ${summary(definition)}.` : `Not valid: ${countErrors(problems)}.`);
  }
  for (const { path } of tree.entries) {
    const meant = nearMiss(path);
    if (meant !== undefined) printError(`${path} is no part of the definition: was ${meant} meant?`);
  }
  process.exitCode = valid ? 0 : 1;
}

/**
 * What a server with this settings file would say of names that only a server knows. Without a file no forge is known, and
 * of harnesses and runners nothing is said: the server may have any.
 */
async function problemsWithSettings(loaded: Loaded, config: string | undefined): Promise<Problem[]> {
  const settings = config === undefined ? {} : (await readSettingsFile(config)).content;
  const forges = Object.entries(settings.forges ?? {}).map(([name, forge]) => {
    return { ...forge, name, access: undefined };
  });
  const ofForges = repositoriesWithoutForge(loaded, createForges(forges).has);
  if (config === undefined) return ofForges;
  const { has } = createHarnesses({ agentCommand: undefined, harnesses: settings.harnesses ?? {} });
  return [...ofForges, ...harnessesAreKnown(loaded, has), ...runnersAreThere(loaded)];
}

async function textOf(root: string, { path }: Problem): Promise<string | undefined> {
  return readFile(join(root, path), "utf8").catch(() => undefined);
}

function summary({
  agents,
  automations,
  webhooks,
}: {
  agents: unknown[];
  automations: unknown[];
  webhooks: unknown[];
}): string {
  return [
    counted(agents.length, "agent"),
    counted(automations.length, "automation"),
    counted(webhooks.length, "webhook"),
  ].join(", ");
}

function countErrors(problems: readonly Problem[]): string {
  return counted(problems.filter((problem) => problem.severity === "error").length, "error");
}
