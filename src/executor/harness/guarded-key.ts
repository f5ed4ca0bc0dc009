import { isProxyVariable } from "../../platform/proxies.ts";
import type { AssignedKey } from "../../runs/turn/assignment.ts";
import { type Injection, injectedHost, isHeaderValue, newPlaceholder } from "../../runs/turn/injection.ts";
import { type Target, targetOfUrl } from "../../runs/turn/network-guard.ts";
import { endpointPath, type ServiceEndpoint } from "../network/proxy/own-paths.ts";
import type { HarnessRow } from "./harness.ts";

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
 * @returns or why the proxy cannot do that, as a sentence
 */
export function guardKey(
  row: HarnessRow,
  { granted, named, injected = [], origin }: KeyOptions,
): GuardedKey | { problem: string } {
  const unguarded = unguardedKey(row, { granted, named });
  const { environment } = unguarded;
  const { keyService, keyVariables = [], injectKey = true } = row;
  const [name = ""] = keyVariables;
  const key = environment[name];
  if (!keyService || !injectKey || key === undefined) return unguarded;
  if (injected.some(({ placeholder }) => placeholder === key)) return unguarded;
  const { baseUrl } = keyService;
  const written = (baseUrl && (environment[baseUrl] ?? granted.get(baseUrl))) || keyService.url;
  const isOfRun = baseUrl !== undefined && environment[baseUrl] === undefined && granted.has(baseUrl);
  const service = serviceOf(written);
  if (!service)
    return { problem: `${baseUrl ?? "keyService.url"} is not an http:// or https:// URL without a password` };
  if (!isHeaderValue(key))
    return {
      problem: `a header of a request cannot contain the value of ${name}, for example because of a line break`,
    };
  const placeholder = newPlaceholder();
  const atProxy = `${origin}${endpointPath(MODEL)}`;
  return {
    secrets: withoutKey(row, { granted, key, placeholder }),
    environment: {
      ...(service.url === keyService.url ? keyService.environment : {}),
      ...environment,
      ...Object.fromEntries(keyVariables.map((variable) => [variable, placeholder])),
      ...(baseUrl === undefined ? {} : { [baseUrl]: atProxy }),
    },
    arguments: baseUrlArguments(row).map((word) => word.replaceAll("{baseUrl}", () => atProxy)),
    injections: [{ name, placeholder, value: key, hosts: [injectedHost(service.target)] }],
    endpoints: takesBaseUrl(row) ? [{ name: MODEL, url: service.url, ...(isOfRun ? { isOfRun } : {}) }] : [],
  };
}

/** Whether a variable says where a program sends its key: as the base URL of its model, or as a proxy. */
export const redirectsKey = ({ keyService }: Pick<HarnessRow, "keyService">, name: string): boolean =>
  name === keyService?.baseUrl || isProxyVariable(name);

/** Whether a program can be told to reach its model at another URL. */
export const takesBaseUrl = (row: HarnessRow): boolean =>
  row.keyService?.baseUrl !== undefined || baseUrlArguments(row).length > 0;

/** None where the words of the command name a service of their own. */
function baseUrlArguments({ keyService, command, resume = [], arguments: own = [] }: HarnessRow): string[] {
  const { baseUrlArguments: words = [], otherServices = [] } = keyService ?? {};
  const at = words.findIndex((word) => word.includes("{baseUrl}"));
  // Either `name={baseUrl}`, or a word of its own after `--name`.
  const [name = ""] = (words[at]?.includes("=") ? words[at] : (words[at - 1] ?? "")).split("=");
  const isElsewhere = [...command, ...resume, ...own].some((word) =>
    [name, ...otherServices].some((text) => text !== "" && word.includes(text)),
  );
  return isElsewhere ? [] : words;
}

/** The secrets of a run as a program gets them that does not have its key, under whatever name. */
function withoutKey(
  { keyService, keyVariables = [] }: HarnessRow,
  { granted, key, placeholder }: { granted: ReadonlyMap<string, string>; key: string; placeholder: string },
): ReadonlyMap<string, string> {
  const others = [...granted].filter(
    ([name]) => !keyVariables.includes(name) && name !== keyService?.baseUrl,
  );
  return new Map(others.map(([name, value]) => [name, value === key ? placeholder : value]));
}

/** Nothing for what is no URL of the web, or has a name and a password. */
function serviceOf(text: string): { url: string; target: Target } | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  const target = targetOfUrl(url);
  return target && { url: text, target };
}

/** The key of a program: the one that was assigned, or the first of the executor's own environment under one of the program's names. */
export function keyOf(
  assigned: AssignedKey | undefined,
  { keyVariables = [] }: HarnessRow,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (assigned === undefined || "value" in assigned) return assigned?.value;
  return keyVariables.map((name) => environment[name]).find((value) => value !== undefined);
}

/**
 * The variables that a harness adds to an agent's environment: those of its row, and its key under each of the names
 * under which its program looks for it. Where the definition names none, the key is a granted secret of one of the names.
 */
export function harnessEnvironment(
  { environment = {}, keyVariables = [] }: HarnessRow,
  granted: ReadonlyMap<string, string>,
  named: string | undefined,
): Record<string, string> {
  const key = named ?? keyVariables.map((name) => granted.get(name)).find((value) => value !== undefined);
  return {
    ...environment,
    ...(key === undefined ? {} : Object.fromEntries(keyVariables.map((name) => [name, key]))),
  };
}
