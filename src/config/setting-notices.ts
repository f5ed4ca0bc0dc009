import { closest, distance } from "fastest-levenshtein";
import type { Config } from "./config.ts";
import { staysOnThisMachine } from "./loopback.ts";
import type { Setting } from "./setting.ts";
import { settings } from "./settings.ts";

/** What an operator should know about the settings in force: what has no effect, and what is not safe. */
export function settingNotices(config: Config): string[] {
  const withoutAgent = agentNotice(config);
  return [...addressNotices(config), ...(withoutAgent === undefined ? [] : [withoutAgent])];
}

/** What follows of several sources where the settings name no factory for runs that name none. */
export function severalFactoriesNotice(config: Config, sources: number): string[] {
  if (config.defaultFactory !== undefined || (sources || config.factories.length) < 2) return [];
  return [
    "There are several factories: runs that an unlimited key asks for without naming a factory or an agent belong to none, without " +
      "a foreman's prompt and secrets. Set MILLRACE_DEFAULT_FACTORY to the factory that they shall belong to",
  ];
}

/** Variables that no part of the program reads, each with the name that was probably meant. */
export function unknownVariables(config: Config, env: Record<string, string | undefined>): string[] {
  const known = [
    ...variablesNamedIn(config),
    ...(Object.values(settings) as Setting<unknown>[]).map((setting) => setting.env),
    ...OF_CLIENTS,
  ];
  return Object.keys(env)
    .filter((name) => name.startsWith("MILLRACE_") && !known.includes(name) && !OF_RUNS.has(name))
    .map((name) => {
      const meant = closest(name, known);
      const hint = distance(name, meant) <= FARTHEST ? `: did you mean ${meant}?` : "";
      return `The variable ${name} is unknown and has no effect${hint}`;
    });
}

/** Where the settings say `{env: NAME}`: credentials and secrets that the environment keeps. */
function variablesNamedIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "env" && typeof inner === "string" ? [inner] : variablesNamedIn(inner),
  );
}

/** What the command line reads, beside the settings. */
const OF_CLIENTS = ["MILLRACE_SERVER", "MILLRACE_API_KEY"];
/** What agents are given: a server that an agent starts for a test has them in its environment. */
const OF_RUNS = new Set(
  "RUN_ID,RUN_TOKEN,TURN,API_URL,PROMPT_FILE,PAYLOAD_FILE,BINARY"
    .split(",")
    .map((name) => `MILLRACE_${name}`),
);
/** More letters than these are another word. */
const FARTHEST = 4;

/** What is missing for runs whose definition names no harness. */
export function agentNotice({ agentCommand }: Pick<Config, "agentCommand">): string | undefined {
  if (agentCommand !== undefined) return undefined;
  return "No agent command is set: runs whose definition names no harness end FAILED. Set MILLRACE_AGENT_COMMAND or --agent-command to the program that executes runs";
}

/** Which URLs let keys and secrets travel unprotected. */
export function addressNotices(config: Config): string[] {
  const notices: string[] = [];
  for (const url of [config.publicUrl, config.webhookUrl]) {
    if (url && isUnprotected(url)) {
      notices.push(
        `${url} is not https: keys and secrets travel in clear; let a proxy in front of millrace end TLS`,
      );
    }
  }
  return notices;
}

function isUnprotected(url: string): boolean {
  return new URL(url).protocol === "http:" && !staysOnThisMachine(url);
}
