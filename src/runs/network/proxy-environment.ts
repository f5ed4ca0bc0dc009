/** Where the programs of a run find their proxy: on the loopback interface of a network that is theirs alone. */
export const PROXY_PORT = 3128;
export const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`;

/**
 * Where a program whose network nothing limits finds the services of its proxy: it stands for the true origin in its words and its
 * environment until the port is known.
 */
export const LOCAL_ORIGIN = "http://endpoints.millrace.invalid";

const OWN = "127.0.0.1,localhost,::1";

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
 * @param hasAuthority whether some connections end in the proxy, which programs have to trust then
 * @param socat how socat is started
 */
export function proxyEnvironment(
  hasAuthority: boolean,
  socat: readonly string[] = ["socat"],
): Record<string, string> {
  return {
    ...(hasAuthority ? TRUST : {}),
    HTTP_PROXY: PROXY_URL,
    HTTPS_PROXY: PROXY_URL,
    ALL_PROXY: PROXY_URL,
    NO_PROXY: OWN,
    // curl reads the first of these in lower case only.
    http_proxy: PROXY_URL,
    https_proxy: PROXY_URL,
    all_proxy: PROXY_URL,
    no_proxy: OWN,
    // The fetch of Node 22.21, 24 and later.
    NODE_USE_ENV_PROXY: "1",
    npm_config_proxy: PROXY_URL,
    npm_config_https_proxy: PROXY_URL,
    npm_config_noproxy: OWN,
    // git over ssh, which knows nothing of the variables above.
    GIT_SSH_COMMAND: `ssh -o ProxyCommand='${socat.join(" ")} - PROXY:127.0.0.1:%h:%p,proxyport=${PROXY_PORT}'`,
  };
}
