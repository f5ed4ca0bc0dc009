import { coversEntry, parseAllowEntry } from "../../network/allow-entry.ts";
import { readEntries } from "../../network/network-rule.ts";
import type { NetworkPolicy } from "../../runs/turn/network-policy.ts";

/** Where the programs of a run find their proxy: on the loopback interface of a network that is theirs alone. */
export const PROXY_PORT = 3128;
export const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`;

/**
 * Where a program whose network nothing limits finds the services of its proxy: it stands for the true origin in its words and its
 * environment until the port is known.
 */
export const LOCAL_ORIGIN = "http://endpoints.millrace.invalid";

/** An entry without a port allows this one. */
const HTTPS = 443;
const OWN = ["127.0.0.1", "localhost", "::1"];

/** The programs' own loopback interface, without the addresses of the machine's that the network list allows through the proxy. */
function withoutProxy({ allow }: NetworkPolicy): string {
  const lists = allow.map(readEntries);
  const isListed = (name: string) => {
    const own = parseAllowEntry(name);
    if ("problem" in own || lists.length === 0) return false;
    return lists.every((list) =>
      list.some((entry) => coversEntry(entry, { ...own, port: entry.port ?? HTTPS })),
    );
  };
  return OWN.filter((name) => !isListed(name)).join(",");
}

/** Where the certificates are that programs of a run trust, in their sandbox: that of its authority, and all together. */
export const AUTHORITY_INSIDE = "/run/millrace/ca.pem";
export const AUTHORITIES_INSIDE = "/run/millrace/cas.pem";

/** The variables by which the usual programs are told whom to trust. Most of them replace what they would trust otherwise. */
const TRUST: Readonly<Record<string, string>> = {
  NODE_EXTRA_CA_CERTS: AUTHORITY_INSIDE,
  DENO_CERT: AUTHORITY_INSIDE,
  CODEX_CA_CERTIFICATE: AUTHORITIES_INSIDE,
  SSL_CERT_FILE: AUTHORITIES_INSIDE,
  CURL_CA_BUNDLE: AUTHORITIES_INSIDE,
  REQUESTS_CA_BUNDLE: AUTHORITIES_INSIDE,
  PIP_CERT: AUTHORITIES_INSIDE,
  GIT_SSL_CAINFO: AUTHORITIES_INSIDE,
  CARGO_HTTP_CAINFO: AUTHORITIES_INSIDE,
  AWS_CA_BUNDLE: AUTHORITIES_INSIDE,
};

/**
 * The variables by which programs go through the proxy, each under the names that the usual ones read.
 * @param socat how socat is started
 */
export function proxyEnvironment(
  { policy, injections }: { policy: NetworkPolicy; injections: readonly unknown[] },
  socat: readonly string[] = ["socat"],
): Record<string, string> {
  const own = withoutProxy(policy);
  return {
    ...(injections.length > 0 ? TRUST : {}),
    HTTP_PROXY: PROXY_URL,
    HTTPS_PROXY: PROXY_URL,
    ALL_PROXY: PROXY_URL,
    NO_PROXY: own,
    // curl reads the first of these in lower case only.
    http_proxy: PROXY_URL,
    https_proxy: PROXY_URL,
    all_proxy: PROXY_URL,
    no_proxy: own,
    // The fetch of Node 22.21, 24 and later.
    NODE_USE_ENV_PROXY: "1",
    npm_config_proxy: PROXY_URL,
    npm_config_https_proxy: PROXY_URL,
    npm_config_noproxy: own,
    // git over ssh, which knows nothing of the variables above.
    GIT_SSH_COMMAND: `ssh -o ProxyCommand='${socat.join(" ")} - PROXY:127.0.0.1:%h:%p,proxyport=${PROXY_PORT}'`,
  };
}
