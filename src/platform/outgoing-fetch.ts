import { MillraceError } from "../errors/error.ts";
import { decoded, proxyOf, proxyVariableOf } from "./proxies.ts";

type Fetch = typeof fetch;

const throughProxies = new Map<string, Promise<Fetch>>();

/**
 * Asks a URL through the proxy that the environment names for it, or without one.
 * @throws MillraceError `invalid_request` when what the environment names is not the URL of a proxy that can be used
 */
export const outgoingFetch: Fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const proxy = proxyOf(url, process.env);
  if (proxy === undefined) return fetch(input, init);
  if (!/^https?:/.test(proxy) || !URL.canParse(proxy)) throw unusableProxy(url);
  const opened = throughProxies.get(proxy) ?? openProxy(proxy);
  throughProxies.set(proxy, opened);
  return (await opened)(input, init);
};

/** The fetch of Node knows no proxies at the versions that millrace runs with, so that of its own library takes its place. */
async function openProxy(proxy: string): Promise<Fetch> {
  const { username, password } = new URL(proxy);
  const user = `${decoded(username)}:${decoded(password)}`;
  const { fetch: send, ProxyAgent } = await import("undici");
  const dispatcher = new ProxyAgent({
    uri: proxy,
    ...(username === "" ? {} : { token: `Basic ${Buffer.from(user).toString("base64")}` }),
  });
  // The library's types and Node's are of different versions of one thing.
  const sendThrough = async (input: Request | string, init?: object) => {
    const [url, ofRequest] = input instanceof Request ? [input.url, await contentOf(input)] : [input, {}];
    return send(url, { ...ofRequest, ...init, dispatcher }).catch((error) => {
      throw new TypeError("fetch failed", { cause: innermostCause(error) });
    });
  };
  return sendThrough as unknown as Fetch;
}

/** What the variable says is not shown: it may hold a password. */
function unusableProxy(url: URL): MillraceError {
  return new MillraceError(
    "invalid_request",
    `The proxy for ${url.origin} in the environment is not an http:// or https:// URL.`,
    {
      remedy: `Set ${proxyVariableOf(url, process.env)?.toUpperCase()} to http://HOST:PORT or https://HOST:PORT.`,
    },
  );
}

/** The library does not take a request of Node's own class. */
async function contentOf(request: Request) {
  const { method, headers, signal, redirect } = request;
  const body = request.body === null ? {} : { body: await request.arrayBuffer() };
  return { method, headers: [...headers], signal, redirect, ...body };
}

/** The library calls it a request that was cancelled when a proxy refuses it, and keeps the reason below that. */
function innermostCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return cause;
}
