import { type Injection, isHeaderValue, newPlaceholder } from "../network/injection.ts";
import { endpointPath, type ServiceEndpoint } from "../network/proxy/own-paths.ts";
import { PROXY_URL } from "../network/proxy-environment.ts";
import type { HarnessRow } from "./harness.ts";
import { harnessEnvironment } from "./harness-environment.ts";

/** The environment of a program without its key, and what its proxy does in its place. */
export interface GuardedKey {
  environment: Record<string, string>;
  /** The secrets that the program has in its environment beside that. */
  secrets: ReadonlyMap<string, string>;
  injections: Injection[];
  endpoints: ServiceEndpoint[];
}

/** The name of the endpoint under which a program reaches its model. */
const MODEL = "model";

/**
 * What a harness adds to the environment of a program behind a proxy: in place of its key the program has a text that its proxy
 * replaces, in requests to the service of the key alone. A program that can be given a base URL goes to the proxy itself.
 * @param granted the secrets of the run by name
 * @param own those that the definition has injected already
 */
export function guardKey(
  row: HarnessRow,
  granted: ReadonlyMap<string, string>,
  named: string | undefined,
  own: readonly Injection[],
): GuardedKey {
  const environment = harnessEnvironment(row, granted, named);
  const { keyService, keyVariables = [] } = row;
  const [name = ""] = keyVariables;
  const key = environment[name];
  if (keyService === undefined || key === undefined || own.some(({ placeholder }) => placeholder === key))
    return { environment, secrets: granted, injections: [], endpoints: [] };
  const { baseUrl } = keyService;
  const written = baseUrl === undefined ? undefined : (environment[baseUrl] ?? granted.get(baseUrl));
  const url = serviceUrl(written) ?? serviceUrl(keyService.url);
  if (!url || !isHeaderValue(key)) return { environment, secrets: granted, injections: [], endpoints: [] };
  const placeholder = newPlaceholder();
  return {
    secrets: withoutKey(row, granted, key),
    environment: {
      ...environment,
      ...Object.fromEntries(keyVariables.map((variable) => [variable, placeholder])),
      ...(baseUrl === undefined ? {} : { [baseUrl]: `${PROXY_URL}${endpointPath(MODEL)}` }),
    },
    injections: [{ name, placeholder, value: key, hosts: [hostOf(url)] }],
    endpoints: baseUrl === undefined ? [] : [{ name: MODEL, url: url.href }],
  };
}

/** The secrets of a run without those that its proxy puts in for its program. */
export function withoutKey(
  { keyService, keyVariables = [] }: HarnessRow,
  secrets: ReadonlyMap<string, string>,
  key?: string,
): ReadonlyMap<string, string> {
  if (keyService === undefined) return secrets;
  const isOfKey = (name: string, value: string) =>
    keyVariables.includes(name) || name === keyService.baseUrl || value === key;
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
