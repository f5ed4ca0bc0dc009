import type { Config } from "../../config/config.ts";
import { addressNotices } from "../../config/setting-notices.ts";
import { errorMessage } from "../../errors/error.ts";
import { SIGNS_FOR_MS, type SigningKeyStore, signingAt } from "../../oidc/identity-keys.ts";
import { DAY_MS } from "../../time/duration.ts";
import { type DoctorFinding, ok, warning } from "./finding.ts";

const ANSWER_WITHIN_MS = 5_000;

/** Whether senders and clients that use the URLs of the settings arrive at this server. No other place is asked. */
export async function examineUrls(config: Config, isRunning: boolean): Promise<DoctorFinding[]> {
  const insecure = addressNotices(config).map((notice) =>
    warning("public URL", `${notice}.`, "Set --public-url to an https URL, and terminate TLS at a proxy."),
  );
  const proxy = examineProxy(config);
  if (proxy) insecure.push(proxy);
  const named = [...new Set([config.publicUrl, config.webhookUrl].filter((url) => url !== undefined))];
  if (named.length === 0) {
    const message = "not set: links and webhook URLs use the listen address";
    return [...insecure, ok("public URL", message)];
  }
  if (!isRunning)
    return [
      ...insecure,
      ok("public URL", `${named.join(" and ")}; not checked, because no server is running`),
    ];
  return [...insecure, ...(await Promise.all(named.map(askIngress)))];
}

/** Where a proxy ends TLS and is not trusted, all senders have its address, and the wrong tokens of one lock out all. */
function examineProxy({ publicUrl, webhookUrl, trustProxy, proxySocket }: Config): DoctorFinding | undefined {
  const behindProxy = [publicUrl, webhookUrl].find((url) => url?.startsWith("https:"));
  if (behindProxy === undefined || trustProxy.length > 0 || proxySocket !== undefined) return undefined;
  return warning(
    "trusted proxy",
    `${behindProxy} is https, so a proxy in front of the server terminates TLS, but no proxy is trusted: all senders behind it appear to have the same address, so failed authentication by one sender blocks all of them.`,
    "Connect the proxy over MILLRACE_PROXY_SOCKET, or add its address to MILLRACE_TRUST_PROXY (docs/deploying.md). If the service manager passes the proxy's socket to the server, no action is needed.",
  );
}

async function askIngress(url: string): Promise<DoctorFinding> {
  const remedy =
    "Check the host name, the proxy and its certificate. docs/webhooks.md describes what a proxy has to forward.";
  try {
    // Every listener of a server has the ingress, which takes nothing but POST (interface.md, 3), whatever the webhook.
    const asked = new URL("webhooks/w/doctor", url.endsWith("/") ? url : `${url}/`);
    const answer = await fetch(asked, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    await answer.arrayBuffer();
    if (answer.status === 405 && answer.headers.get("allow") === "POST")
      return ok("public URL", `${url} responds`);
    return warning("public URL", `Another program responds at ${url}, with status ${answer.status}.`, remedy);
  } catch (error) {
    const { cause } = error as Error & { cause?: unknown };
    return warning("public URL", `${url} does not respond: ${errorMessage(cause ?? error)}.`, remedy);
  }
}

/** A server that was stopped when it was time has this long to make the next key, and that one to be read. */
const LATE_MS = 7 * DAY_MS;

/** Whether services can check the tokens with which runs say who they are; nothing where there have been none. */
export async function examineRunIdentity(
  { publicUrl }: Pick<Config, "publicUrl">,
  keys: Pick<SigningKeyStore, "list">,
  now: Date,
): Promise<DoctorFinding[]> {
  const signing = signingAt(await keys.list(), now);
  if (!signing) return [];
  if (publicUrl === undefined)
    return [
      warning(
        "run identity",
        "Runs have got identity tokens, and get none now: the public URL is not set.",
        "Set MILLRACE_PUBLIC_URL to the URL that services trust as the issuer.",
      ),
    ];
  const until = new Date(Date.parse(signing.signsFrom) + SIGNS_FOR_MS);
  if (now.getTime() > until.getTime() + LATE_MS)
    return [
      warning(
        "run identity",
        `The key that signs identity tokens should have been replaced on ${until.toISOString()}.`,
        "Start the server, which replaces it, or run `millrace keys replace-identity`.",
      ),
    ];
  return [
    ok("run identity", `${publicUrl} issues identity tokens, with one key until ${until.toISOString()}`),
  ];
}
