import { MillraceError } from "../errors/error.ts";
import { entryProblems } from "../network/network-rule.ts";
import type { Config, FileSettings, ScalarSettings } from "./config.ts";
import { notificationProblems } from "./notification-settings.ts";
import { outboundProblems } from "./outbound-events.ts";
import { retentionOf } from "./retention.ts";
import type { Setting } from "./setting.ts";
import { type SettingName, settings } from "./settings.ts";
import { repositoryFolder } from "./values.ts";

/** The places that settings come from, the first winning over the second, the second over the third. */
export interface ConfigSources {
  /** Flags by setting name, as given on the command line. */
  flags?: Partial<Record<SettingName, string>>;
  env?: Record<string, string | undefined>;
  /** millrace.yaml, already parsed and held against its schema, and where it was read. */
  file?: { path: string; content: Record<string, unknown> & FileSettings };
}

/** Where a value came from, as a person would say it: `--listen`, `MILLRACE_LISTEN`, `millrace.yaml`, `default`. */
export type Origins = Record<SettingName, string>;

/**
 * Reads every setting once.
 * @throws MillraceError `invalid_request` that lists all wrong values, each with where it came from
 */
export function loadConfig(sources: ConfigSources): { config: Config; origins: Origins } {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const origins = {} as Origins;

  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    const written = findWritten(name, setting, sources);
    origins[name] = written.origin;
    if (written.text === undefined) continue;
    try {
      values[name] = setting.parse(written.text);
    } catch (error) {
      const { show = String } = setting;
      const shown = setting.secret ? "" : ` "${show(written.text)}"`;
      problems.push(`${written.origin}${shown}: ${(error as Error).message}`);
    }
  }
  problems.push(...contradictions(values, origins), ...retentionProblems(sources.file));
  const { path, content = {} } = sources.file ?? {};
  problems.push(...networkProblems(content).map((problem) => `${path}: network: ${problem}`));
  const factories = factoriesIn(content, (problem) => problems.push(`${path}: ${problem}`));
  const contradicting = [...notificationProblems(content), ...outboundProblems(content)];
  problems.push(...contradicting.map((problem) => `${path}: ${problem}`));
  if (problems.length > 0) {
    throw new MillraceError(
      "invalid_request",
      `Invalid settings:\n${problems.map((p) => `  ${p}`).join("\n")}`,
      {
        remedy:
          "Fix them and start again. `millrace serve --print-config` shows where each value comes from.",
      },
    );
  }
  const scalars = values as unknown as ScalarSettings;
  return { config: { ...scalars, ...structured(sources.file?.content), factories }, origins };
}

function findWritten(name: SettingName, setting: Setting<unknown>, { flags, env, file }: ConfigSources) {
  const flag = flags?.[name];
  if (flag !== undefined) return { text: flag, origin: setting.flag ?? name };
  const variable = env?.[setting.env];
  // An empty variable is how a container file says "not set".
  if (variable !== undefined && variable !== "") return { text: variable, origin: setting.env };
  const inFile = setting.inFile ? file?.content[name] : undefined;
  if (file && inFile !== undefined) return { text: fileText(inFile), origin: `${name} in ${file.path}` };
  return { text: setting.fallback, origin: "default" };
}

/** A list in the file is what commas separate elsewhere; numbers are as good as their digits. */
function fileText(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value);
}

function contradictions(values: Record<string, unknown>, origins: Origins): string[] {
  const pairs = [
    ["masterKey", "masterKeyFile"],
    ["gitToken", "gitTokenFile"],
    ["hookSecret", "hookSecretFile"],
  ] as const;
  return pairs
    .filter(([one, other]) => values[one] !== undefined && values[other] !== undefined)
    .map(([one, other]) => `${origins[one]} and ${origins[other]} are both set: set only one of them`);
}

function retentionProblems(file: ConfigSources["file"]): string[] {
  try {
    retentionOf(file?.content.retention ?? {});
    return [];
  } catch (error) {
    return [`${file?.path}: ${(error as Error).message}`];
  }
}

function networkProblems({ network }: FileSettings): string[] {
  if (typeof network !== "object") return [];
  return entryProblems(network.allow).map(({ index, problem }) => `allow[${index}] is ${problem}`);
}

/** The factories of the file, with folders of definitions as a flag or the environment would name them. */
function factoriesIn({ factories = [] }: FileSettings, report: (problem: string) => void) {
  return factories.map((factory, index) => {
    if ("managed" in factory || factory.path === undefined) return factory;
    try {
      return { ...factory, path: repositoryFolder(factory.path) };
    } catch (error) {
      report(`factories[${index}].path "${factory.path}": ${(error as Error).message}`);
      return factory;
    }
  });
}

function structured(file: FileSettings | undefined) {
  return {
    harnesses: file?.harnesses ?? {},
    forges: file?.forges ?? {},
    secrets: file?.secrets ?? {},
    workerEnvironment: file?.workerEnvironment ?? {},
    retention: file?.retention ?? {},
    notifications: file?.notifications ?? [],
    outbound: file?.outbound ?? [],
    smtp: file?.smtp,
    network: file?.network,
    prices: file?.prices ?? {},
    shares: file?.shares ?? {},
  };
}
