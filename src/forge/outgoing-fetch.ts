import { decoded, proxyOf } from "../proxies.ts";
import { HostError } from "./code-host.ts";

type Fetch = typeof fetch;

const throughProxies = new Map<string, Promise<Fetch>>();

/** Asks a URL through the proxy that the environment of the server names for it, or without one. */
export const outgoingFetch: Fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const proxy = proxyOf(url, process.env);
  if (proxy === undefined) return fetch(input, init);
  const opened = throughProxies.get(proxy) ?? openProxy(proxy);
  throughProxies.set(proxy, opened);
  return (await opened)(input, init);
};

/** The fetch of Node knows no proxies at the versions that millrace runs with, so that of its own library takes its place. */
async function openProxy(proxy: string): Promise<Fetch> {
  if (!/^https?:/.test(proxy) || !URL.canParse(proxy)) {
    throw new HostError(
      "refused",
      "HTTPS_PROXY of the server's environment is no URL of a proxy: give http://HOST:PORT, or https://HOST:PORT.",
    );
  }
  const { username, password } = new URL(proxy);
  const user = `${decoded(username)}:${decoded(password)}`;
  const { fetch: send, ProxyAgent } = await import("undici");
  const dispatcher = new ProxyAgent({
    uri: proxy,
    ...(username === "" ? {} : { token: `Basic ${Buffer.from(user).toString("base64")}` }),
  });
  // The library's types and Node's are of different versions of one thing.
  const sendThrough = (input: string, init?: object) =>
    send(input, { ...init, dispatcher }).catch((error) => {
      throw new TypeError("fetch failed", { cause: innermostCause(error) });
    });
  return sendThrough as unknown as Fetch;
}

/** The library calls it a request that was cancelled when a proxy refuses it, and keeps the reason below that. */
function innermostCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return cause;
}
