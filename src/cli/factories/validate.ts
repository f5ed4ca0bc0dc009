import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import type { ConfigSources } from "../../config/load-config.ts";
import { loadDefinition } from "../../definitions/loading/load.ts";
import type { Loaded } from "../../definitions/loading/loaded.ts";
import { isStray, nearMiss } from "../../definitions/loading/tree-path.ts";
import { formatProblem, hasErrors, type Problem, sortProblems } from "../../definitions/problem.ts";
import { checkAgainstSettings } from "../../definitions/rules/check-server.ts";
import { repositoriesWithoutForge } from "../../definitions/rules/forge-rules.ts";
import { createHarnesses } from "../../executor/harness/harness.ts";
import { createForges, type Forges } from "../../forge/forge.ts";
import { locateSource, sourceName } from "../../git/source-location.ts";
import { isUid } from "../../id.ts";
import { isChosenByProgram, priceTable } from "../../insight/prices.ts";
import { pluralize } from "../../pluralize.ts";
import { print, printError, printJson } from "../output.ts";
import { readSettingsFile } from "../settings.ts";
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
    .option("--config <file>", "millrace.yaml of the server, to check the definition against its settings")
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
    if (config === undefined) print(NOT_CHECKED);
  }
  for (const { path } of tree.entries) {
    const meant = nearMiss(path);
    if (meant !== undefined && !isStray(path))
      printError(`${path} is not part of the definition. Did you mean ${meant}?`);
  }
  process.exitCode = valid ? 0 : 1;
}

/**
 * What a server with this settings file would say, as far as the file tells. Without a file no forge is known, and of the rest
 * nothing is said: the server may have any.
 */
async function problemsWithSettings(loaded: Loaded, config: string | undefined): Promise<Problem[]> {
  const { definition } = loaded;
  if (config === undefined) return repositoriesWithoutForge(loaded, createForges([]));
  const settings = (await readSettingsFile(config)).content;
  if (!definition) return [];
  const prices = priceTable(settings.prices);
  const sandbox = sandboxOf(settings);
  return checkAgainstSettings(definition, loaded, {
    hasHarness: createHarnesses({ agentCommand: undefined, harnesses: settings.harnesses ?? {} }).has,
    hasPrice: (model) => isChosenByProgram(model) || prices.priceOf(model) !== undefined,
    forges: forgesFor(definition.factory.name, settings),
    network: settings.network,
    isActive: false,
    ...(sandbox === undefined ? {} : { host: { sandbox } }),
  });
}

/** The forges that a factory may use. The settings may call it by a name of its source or by a uid, which the files do not tell. */
function forgesFor(factory: string, { forges = {}, factories = [] }: Settings): Forges<undefined> {
  const others = factories.flatMap((each) =>
    "managed" in each ? each.managed : sourceName(locateSource(each.source)),
  );
  const isKnown = others.includes(factory);
  const isOurs = (name: string) => name === factory || isUid(name) || (!isKnown && others.includes(name));
  const all = Object.entries(forges).map(([name, { app, ...forge }]) => {
    const push = () => Promise.reject(new Error("validate pushes nothing"));
    return { ...forge, name, access: undefined, ...(app ? { push } : {}) };
  });
  const usable = all.filter((forge) => forge.shared || !forge.factories || forge.factories.some(isOurs));
  const refused = all.filter((forge) => !usable.includes(forge)).map(({ name }) => name);
  if (refused.length === 0) return createForges(all);
  return createForges(
    usable,
    `the settings have forges that this factory may not use (${refused.join(", ")}). Add ${factory} to factories: of the right one`,
  );
}

/** What only the settings file tells of. `millrace plan` asks the server for the rest. */
const NOT_CHECKED =
  "Not checked: harnesses, forges, pushes, prices of models, the network and the sandbox of the server. To check them, add --config millrace.yaml.";

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
