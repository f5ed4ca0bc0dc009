import { type Injection, isHeaderValue, newPlaceholder } from "../network/injection.ts";
import { endpointPath, type ServiceEndpoint } from "../network/proxy/own-paths.ts";
import type { HarnessRow } from "./harness.ts";
import { harnessEnvironment } from "./harness-environment.ts";

/** What a program is given without its key, and what its proxy does in its place. */
export interface GuardedKey {
  environment: Record<string, string>;
  /** Words that its command gets as well. */
  arguments: string[];
  /** The secrets that the program has in its environment beside that. */
  secrets: ReadonlyMap<string, string>;
  injections: Injection[];
  endpoints: ServiceEndpoint[];
}

interface KeyOptions {
  /** The secrets of the run by name. */
  granted: ReadonlyMap<string, string>;
  /** The key that the definition or the executor names. */
  named: string | undefined;
  /** Secrets that the definition has injected already. */
  injected?: readonly Injection[];
  /** Where the program reaches the services of its proxy. */
  origin: string;
}

/** The name of the endpoint under which a program reaches its model. */
const MODEL = "model";

/** What a harness gives a program that has its key. */
export function unguardedKey(
  row: HarnessRow,
  { granted, named }: Pick<KeyOptions, "granted" | "named">,
): GuardedKey {
  const environment = harnessEnvironment(row, granted, named);
  return { environment, arguments: [], secrets: granted, injections: [], endpoints: [] };
}

/**
 * What a harness gives a program behind a proxy: in place of its key the program has a text that its proxy replaces, in
 * requests to the service of the key alone. A program that can be given a base URL goes to the proxy itself.
 */
export function guardKey(row: HarnessRow, { granted, named, injected = [], origin }: KeyOptions): GuardedKey {
  const unguarded = unguardedKey(row, { granted, named });
  const { environment } = unguarded;
  const { keyService, keyVariables = [], injectKey = true } = row;
  const [name = ""] = keyVariables;
  const key = environment[name];
  if (!keyService || !injectKey || key === undefined) return unguarded;
  if (injected.some(({ placeholder }) => placeholder === key)) return unguarded;
  const { baseUrl } = keyService;
  const written = baseUrl === undefined ? undefined : (environment[baseUrl] ?? granted.get(baseUrl));
  const url = serviceUrl(written) ?? serviceUrl(keyService.url);
  if (!url || !isHeaderValue(key)) return unguarded;
  const placeholder = newPlaceholder();
  const atProxy = `${origin}${endpointPath(MODEL)}`;
  return {
    secrets: withoutKey(row, granted, key),
    environment: {
      ...environment,
      ...Object.fromEntries(keyVariables.map((variable) => [variable, placeholder])),
      ...(baseUrl === undefined ? {} : { [baseUrl]: atProxy }),
    },
    arguments: baseUrlArguments(row).map((word) => word.replaceAll("{baseUrl}", () => atProxy)),
    injections: [{ name, placeholder, value: key, hosts: [hostOf(url)] }],
    endpoints: takesBaseUrl(row) ? [{ name: MODEL, url: url.href }] : [],
  };
}

/** Whether a program can be told to reach its model at another URL. */
export const takesBaseUrl = (row: HarnessRow): boolean =>
  row.keyService?.baseUrl !== undefined || baseUrlArguments(row).length > 0;

/** None where the settings name a service of their own in the words of the command. */
function baseUrlArguments({ keyService, command, resume = [], arguments: own = [] }: HarnessRow): string[] {
  const { baseUrlArguments: words = [] } = keyService ?? {};
  const at = words.findIndex((word) => word.includes("{baseUrl}"));
  // Either `name={baseUrl}`, or a word of its own after `--name`.
  const [name = ""] = (words[at]?.includes("=") ? words[at] : (words[at - 1] ?? "")).split("=");
  const isWritten = [...command, ...resume, ...own].some(
    (word) => word === name || word.startsWith(`${name}=`),
  );
  return isWritten ? [] : words;
}

/** The secrets of a run without those that its proxy puts in for its program. */
function withoutKey(
  { keyService, keyVariables = [] }: HarnessRow,
  secrets: ReadonlyMap<string, string>,
  key: string,
): ReadonlyMap<string, string> {
  const isOfKey = (name: string, value: string) =>
    keyVariables.includes(name) || name === keyService?.baseUrl || value === key;
  return new Map([...secrets].filter(([name, value]) => !isOfKey(name, value)));
}

/** Nothing for what is no URL of the web, or has a name and a password. */
function serviceUrl(text: string | undefined): URL | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? url
    : undefined;
}

/** A host with its port, unless that is the one of HTTPS. */
function hostOf({ protocol, hostname, port }: URL): string {
  const shown = port === "" && protocol === "http:" ? "80" : port;
  return shown === "" ? hostname : `${hostname}:${shown}`;
}
