/** Where the programs of a run find their proxy: on the loopback interface of a network that is theirs alone. */
export const PROXY_PORT = 3128;
export const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`;

const OWN = "127.0.0.1,localhost,::1";

/** The variables by which programs go through the proxy, each under the names that the usual ones read. */
export function proxyEnvironment(): Record<string, string> {
  return {
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
    GIT_SSH_COMMAND: `ssh -o ProxyCommand='socat - PROXY:127.0.0.1:%h:%p,proxyport=${PROXY_PORT}'`,
  };
}
