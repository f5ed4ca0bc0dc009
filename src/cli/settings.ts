import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { Config, FileSettings } from "../config/config.ts";
import { type ConfigSources, loadConfig, type Origins } from "../config/load-config.ts";
import type { Setting } from "../config/setting.ts";
import { type SettingName, settings } from "../config/settings.ts";
import { type ParsedFile, parseYaml } from "../definitions/loading/parse.ts";
import { validate } from "../definitions/loading/validate.ts";
import { formatProblem, type Problem } from "../definitions/problem.ts";
import { filterProblems } from "../definitions/rules/outbound-rules.ts";
import { errorMessage, MillraceError, systemCode } from "../errors/error.ts";

export type ServeFlags = Partial<Record<SettingName, string>> & { config?: string; printConfig?: boolean };

/** Adds the flag of every setting that has one, and `--config`. */
export function withSettingFlags(command: Command): Command {
  command.option("--config <file>", "read settings from this millrace.yaml");
  for (const setting of Object.values(settings) as Setting<unknown>[]) {
    if (!setting.flag) continue;
    const fallback = setting.fallback ? ` (default: ${setting.fallback})` : "";
    command.option(`${setting.flag} <value>`, `${setting.help}${fallback}; ${setting.env}`);
  }
  return command;
}

/** The settings of a command line, its environment and its file. */
export async function readConfig({
  config: file,
  printConfig: _,
  ...flags
}: ServeFlags): Promise<{ config: Config; origins: Origins }> {
  return loadConfig({
    flags,
    env: process.env,
    ...(file === undefined ? {} : { file: await readSettingsFile(file) }),
  });
}

/**
 * Reads millrace.yaml and holds it against its schema.
 * @throws MillraceError `invalid_request` with every problem and its place
 */
export async function readSettingsFile(path: string): Promise<NonNullable<ConfigSources["file"]>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const isMissing = systemCode(error) === "ENOENT";
    const why = isMissing ? "does not exist" : `cannot be read: ${errorMessage(error)}`;
    throw new MillraceError("invalid_request", `The settings file ${path} ${why}.`, {
      remedy:
        "Specify an existing file with --config, or omit --config to use only environment variables and flags.",
    });
  }
  const parsed = parseYaml(path, text);
  const problems = "file" in parsed ? problemsOf(parsed.file) : parsed.problems;
  if ("file" in parsed && problems.length === 0) return { path, content: parsed.file.data };
  const shown = problems.map((problem) =>
    mayHoldSecret(problem, text) ? formatProblem(withoutValue(problem)) : formatProblem(problem, text),
  );
  throw new MillraceError(
    "invalid_request",
    `The settings file ${path} is not valid:\n\n${shown.join("\n\n")}`,
  );
}

function problemsOf(file: ParsedFile): Problem[] {
  const problems = validate("millrace", file);
  if (problems.length > 0) return problems;
  const { outbound = [] } = file.data as Pick<FileSettings, "outbound">;
  return outbound.flatMap(({ filter }, index) =>
    filter === undefined
      ? []
      : filterProblems(filter, { path: file.path, file, at: ["outbound", index, "filter"] }),
  );
}

/** Whoever writes a secret where its place is expected does not want to see it in a log. */
function mayHoldSecret({ line }: Problem, text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/);
  return /token|secret|key|password/i.test(lines.slice(Math.max(0, line - 2), line).join("\n"));
}

function withoutValue(problem: Problem): Problem {
  return { ...problem, message: problem.message.replace(/, found .*$/s, "") };
}

/** Which data folder a command works on that asks no server. */
export interface DataOptions {
  config?: string;
  dataDir?: string;
  databaseUrl?: string;
}

/** Gives a command the options that say where a server keeps its data, as `serve` has them. */
export function addDataOptions(command: Command, condition = ""): Command {
  const { dataDir, databaseUrl } = settings;
  return command
    .option(
      "--data-dir <value>",
      `${condition}${dataDir.help} (default: ${dataDir.fallback}; ${dataDir.env})`,
    )
    .option("--database-url <value>", `${condition}${databaseUrl.help}; ${databaseUrl.env}`)
    .option("--config <file>", `${condition}read settings from this millrace.yaml`);
}

/** The settings that a server with these options would have. */
export async function dataSettings({ config, dataDir, databaseUrl }: DataOptions): Promise<Config> {
  const flags = { config, dataDir, databaseUrl };
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  return (await readConfig(given)).config;
}
