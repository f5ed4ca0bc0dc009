import { isIP } from "node:net";

type Environment = Record<string, string | undefined>;

const NAMES = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] as const;

/**
 * The proxies that the environment names, under the names that git takes: of a variable that is there in both spellings
 * the one in small letters counts, as everywhere.
 */
export function proxyVariables(env: Environment): Record<string, string> {
  const entries = NAMES.map((name) => [name, env[name] ?? env[name.toUpperCase()]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [(typeof NAMES)[number], string] => !!entry[1]));
}

/** Whether a variable names a proxy, in either spelling. */
export const isProxyVariable = (name: string): boolean => /^(?:https?|all)_proxy$/i.test(name);

/** Whether any proxy is named, whatever it is for. */
export function namesProxy(env: Environment): boolean {
  const { no_proxy: _, ...proxies } = proxyVariables(env);
  return Object.keys(proxies).length > 0;
}

/** The proxy through which a URL is asked, by the rules that git has: nothing for none. */
export function proxyOf(url: URL, env: Environment): string | undefined {
  const variable = proxyVariableOf(url, env);
  const proxy = variable && proxyVariables(env)[variable];
  if (!proxy) return undefined;
  // A host and a port alone mean a proxy that is spoken to in clear.
  return /^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`;
}

/** The variable that names the proxy of a URL, in small letters; nothing where it is asked without a proxy. */
export function proxyVariableOf(url: URL, env: Environment): (typeof NAMES)[number] | undefined {
  const variables = proxyVariables(env);
  const named = ([url.protocol === "https:" ? "https_proxy" : "http_proxy", "all_proxy"] as const).find(
    (name) => variables[name] !== undefined,
  );
  return named && !isExcepted(url, variables.no_proxy ?? "") ? named : undefined;
}

/** `example.com` and `.example.com` are that name and every one below it; an address is itself. */
function isExcepted({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", onlyPort] =
        /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
      if (onlyPort !== undefined && onlyPort !== ownPort) return false;
      const bare = name.replace(/^\*?\./, "");
      return host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`));
    });
}

/** What of the proxies' URLs no one is to read, in every form in which it can be quoted. */
export function proxySecrets(env: Environment): string[] {
  const { no_proxy: _, ...proxies } = proxyVariables(env);
  return Object.values(proxies).flatMap((proxy) => {
    const userInfo = /^(?:\w+:\/\/)?([^/]*)@/.exec(proxy)?.[1];
    if (!userInfo) return [];
    const plain = decoded(userInfo);
    const [user = "", ...rest] = plain.split(":");
    const password = rest.join(":");
    const [, ...written] = userInfo.split(":");
    const whole = [userInfo, plain, Buffer.from(plain).toString("base64")];
    return [...whole, password, written.join(":"), ...(password === "" ? [user] : [])].filter(
      (text) => text !== "",
    );
  });
}

/** What a part of a URL stands for; itself where it is written in no way that could be read. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
