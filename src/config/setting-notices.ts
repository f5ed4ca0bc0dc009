import { closest, distance } from "fastest-levenshtein";
import type { Config } from "./config.ts";
import { staysOnThisMachine } from "./loopback.ts";
import type { Setting } from "./setting.ts";
import { settings } from "./settings.ts";

/** Variables that no part of the program reads, each with the name that was probably meant. */
export function unknownVariables(config: Config, env: Record<string, string | undefined>): string[] {
  const known = [
    ...placesOfVariables(config).map(({ name }) => name),
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

/** Variables that the settings take a credential or a secret from, and that the environment does not have. */
export function missingVariables(config: Config, env: Record<string, string | undefined>): string[] {
  return placesOfVariables(config)
    .filter(({ name }) => !env[name])
    .map(
      ({ name, place }) =>
        `The settings read ${place} from the variable ${name}, which is not set: set it in the environment of the server`,
    );
}

/** Where the settings say `{env: NAME}`: credentials and secrets that the environment keeps. */
function placesOfVariables(value: unknown, place = ""): { name: string; place: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const below = (key: string) =>
    Array.isArray(value) ? `${place}[${key}]` : place === "" ? key : `${place}.${key}`;
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "env" && typeof inner === "string"
      ? [{ name: inner, place }]
      : placesOfVariables(inner, below(key)),
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

/** Which URLs let keys and secrets travel unprotected. */
export function addressNotices(config: Config): string[] {
  const notices: string[] = [];
  for (const url of [config.publicUrl, config.webhookUrl]) {
    if (url && isUnprotected(url)) {
      notices.push(
        `${url} is not https: keys and secrets are sent unencrypted. Terminate TLS at a proxy in front of millrace`,
      );
    }
  }
  return notices;
}

function isUnprotected(url: string): boolean {
  return new URL(url).protocol === "http:" && !staysOnThisMachine(url);
}
