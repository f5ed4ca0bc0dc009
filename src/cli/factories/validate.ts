import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import type { ConfigSources } from "../../config/load-config.ts";
import { type Loaded, loadDefinition } from "../../definitions/loading/load.ts";
import { nearMiss } from "../../definitions/loading/near-miss.ts";
import { formatProblem, hasErrors, type Problem, sortProblems } from "../../definitions/problem.ts";
import { repositoriesWithoutForge } from "../../definitions/rules/forge-rules.ts";
import { harnessesAreKnown, runnersAreThere } from "../../definitions/rules/reference-rules.ts";
import { runnersFitTheHost } from "../../definitions/runner-host.ts";
import { createForges } from "../../forge/forge.ts";
import { locateSource, sourceName } from "../../git/source-location.ts";
import { pluralize } from "../../pluralize.ts";
import { createHarnesses } from "../../runs/harness/harness.ts";
import { print, printError, printJson } from "../output.ts";
import { readSettingsFile } from "../server/settings-file.ts";
import { readDefinitionFolder } from "./definition-folder.ts";
import { githubAnnotation, sarifLog, seenFrom } from "./problem-formats.ts";

const FORMATS = ["text", "json", "github", "sarif"] as const;
type Format = (typeof FORMATS)[number];

export function validateCommand(): Command {
  return new Command("validate")
    .argument("[dir]", "definition folder", ".")
    .description(
      "parse and check a definition without a server; exits with 0 if it is valid, 1 if it is invalid, and 2 if it could not be checked",
    )
    .option("--config <file>", "millrace.yaml of the server, for its forges, harnesses and sandbox")
    .addOption(new Option("--format <format>", "output format").choices(FORMATS).default("text"))
    .action(validateFolder);
}

type Settings = NonNullable<ConfigSources["file"]>["content"];

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
    if (meant !== undefined) printError(`${path} is not part of the definition. Did you mean ${meant}?`);
  }
  process.exitCode = valid ? 0 : 1;
}

/**
 * What a server with this settings file would say of names that only a server knows. Without a file no forge is known, and
 * of harnesses and runners nothing is said: the server may have any.
 */
async function problemsWithSettings(loaded: Loaded, config: string | undefined): Promise<Problem[]> {
  const settings: Settings = config === undefined ? {} : (await readSettingsFile(config)).content;
  const forges = Object.entries(settings.forges ?? {}).map(([name, forge]) => {
    return { ...forge, name, access: undefined };
  });
  const ofForges = repositoriesWithoutForge(loaded, createForges(forges));
  if (config === undefined) return ofForges;
  const { has } = createHarnesses({ agentCommand: undefined, harnesses: settings.harnesses ?? {} });
  const sandbox = sandboxOf(settings);
  return [
    ...ofForges,
    ...harnessesAreKnown(loaded, has),
    ...runnersAreThere(loaded),
    ...(sandbox === undefined ? [] : runnersFitTheHost(loaded, { sandbox })),
  ];
}

/** The sandbox of a server with these settings, in words; nothing where only its machine decides whether it has containers. */
function sandboxOf({ sandbox = "auto", containerImage }: Settings): string | undefined {
  if (sandbox !== "auto") return String(sandbox);
  return containerImage === undefined ? "bwrap or none" : undefined;
}

async function textOf(root: string, { path }: Problem): Promise<string | undefined> {
  return readFile(join(root, path), "utf8").catch(() => undefined);
}

function summary({
  agents,
  automations,
  webhooks,
  outbound,
}: {
  agents: unknown[];
  automations: unknown[];
  webhooks: unknown[];
  outbound: unknown[];
}): string {
  return [
    pluralize(agents.length, "agent"),
    pluralize(automations.length, "automation"),
    pluralize(webhooks.length, "webhook"),
    ...(outbound.length === 0 ? [] : [pluralize(outbound.length, "outbound webhook")]),
  ].join(", ");
}

function countErrors(problems: readonly Problem[]): string {
  return pluralize(problems.filter((problem) => problem.severity === "error").length, "error");
}
