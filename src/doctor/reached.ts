import type { Config } from "../config/config.ts";
import { addressNotices } from "../config/setting-notices.ts";
import { errorMessage } from "../error.ts";
import { type Finding, ok, warning } from "./finding.ts";

const ANSWER_WITHIN_MS = 5_000;

/** Whether senders and clients that use the URLs of the settings arrive at this server. No other place is asked. */
export async function examineUrls(config: Config, isRunning: boolean): Promise<Finding[]> {
  const insecure = addressNotices(config).map((notice) =>
    warning("public URL", `${notice}.`, "Name an https URL with --public-url, and let a proxy end TLS."),
  );
  const proxy = examineProxy(config);
  if (proxy) insecure.push(proxy);
  const named = [...new Set([config.publicUrl, config.webhookUrl].filter((url) => url !== undefined))];
  if (named.length === 0) {
    const message = "none is set: links and webhook URLs name the address that the server listens on";
    return [...insecure, ok("public URL", message)];
  }
  if (!isRunning)
    return [...insecure, ok("public URL", `${named.join(" and ")}; not asked, since no server runs`)];
  return [...insecure, ...(await Promise.all(named.map(askIngress)))];
}

/** Where a proxy ends TLS and is not trusted, all senders have its address, and the wrong tokens of one lock out all. */
function examineProxy({ publicUrl, webhookUrl, trustProxy, proxySocket }: Config): Finding | undefined {
  const behindProxy = [publicUrl, webhookUrl].find((url) => url?.startsWith("https:"));
  if (behindProxy === undefined || trustProxy.length > 0 || proxySocket !== undefined) return undefined;
  return warning(
    "trusted proxy",
    `${behindProxy} is https, so a proxy in front of the server ends TLS, and none is trusted: all senders behind it count as one, and the wrong credentials of one lock out all.`,
    "Let it connect over MILLRACE_PROXY_SOCKET, or name its address in MILLRACE_TRUST_PROXY: docs/deploying.md. Where the service manager hands over the proxy's socket, there is nothing to do.",
  );
}

async function askIngress(url: string): Promise<Finding> {
  const remedy =
    "Check the name, the proxy and its certificate; docs/webhooks.md says what a proxy has to pass on.";
  try {
    // Every listener of a server has the ingress, which takes nothing but POST (interface.md, 3), whatever the webhook.
    const asked = new URL("webhooks/w/doctor", url.endsWith("/") ? url : `${url}/`);
    const answer = await fetch(asked, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    await answer.arrayBuffer();
    if (answer.status === 405 && answer.headers.get("allow") === "POST")
      return ok("public URL", `${url} answers`);
    return warning("public URL", `${url} is answered by something else, with ${answer.status}.`, remedy);
  } catch (error) {
    const { cause } = error as Error & { cause?: unknown };
    return warning("public URL", `${url} does not answer: ${errorMessage(cause ?? error)}.`, remedy);
  }
}
