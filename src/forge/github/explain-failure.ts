import { RequestError } from "@octokit/request-error";
import { errorMessage } from "../../errors/error.ts";
import { proxySecrets } from "../../platform/proxies.ts";
import { ForgeError } from "../repository-forge.ts";

/** GitHub asks to wait at least so long when it does not say for how long. */
const UNTOLD_WAIT_MS = 60_000;
const MAX_WAIT_MS = 60 * 60_000;
const MAX_QUOTE = 200;

/** What a failed request means. @param secrets what must not be shown, whoever has put it into a message */
export function explainFailure(thrown: unknown, repository: string, secrets: readonly string[]): ForgeError {
  if (thrown instanceof ForgeError) return thrown;
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (cause instanceof ForgeError) return cause;
  const response = thrown instanceof RequestError ? thrown.response : undefined;
  if (!response) {
    const why = quote(thrown, [...secrets, ...proxySecrets(process.env)]);
    return new ForgeError("unavailable", `GitHub could not be reached: ${why}.${remedyOfSilence(why)}`);
  }
  const { status, headers } = response;
  const said = quote(thrown, secrets);
  if (isRateLimit(status, headers, said)) {
    const retryAfterMs = waitOf(headers);
    return new ForgeError("unavailable", `GitHub's rate limit is exceeded (${status}).`, {
      retryAfterMs,
      status,
    });
  }
  if (status >= 500)
    return new ForgeError("unavailable", `GitHub responded with ${status}: ${said}.`, { status });
  return new ForgeError(
    "refused",
    `GitHub refused the request (${status}: ${said}). ${remedyOf(status, repository)}`,
    {
      status,
    },
  );
}

/** @throws ForgeError for an answer that leads elsewhere: what comes with the request is meant for nobody else */
export function refuseRedirect(status: number, location: string | null): void {
  if (status < 300 || status >= 400) return;
  const target = location && URL.canParse(location) ? ` to ${new URL(location).origin}` : "";
  throw new ForgeError(
    "refused",
    `GitHub redirects${target}; the redirect is not followed because it could send the credential to another host. ` +
      "If the repository was renamed, set its new name, or the new api, under github: in millrace.yaml.",
    { status },
  );
}

type Headers = Record<string, string | number | undefined>;

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
function isRateLimit(status: number, headers: Headers, said: string): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers["retry-after"] !== undefined ||
    String(headers["x-ratelimit-remaining"]) === "0" ||
    /rate limit/i.test(said)
  );
}

function waitOf(headers: Headers): number {
  const seconds = Number(headers["retry-after"]);
  const reset = Number(headers["x-ratelimit-reset"]) * 1_000 - Date.now();
  const waitMs = seconds > 0 ? seconds * 1_000 : reset > 0 ? reset : UNTOLD_WAIT_MS;
  return Math.min(waitMs, MAX_WAIT_MS);
}

/** What stands between a server and the host in many companies. */
function remedyOfSilence(why: string): string {
  if (/tunnel|proxy/i.test(why))
    return " Check HTTPS_PROXY and NO_PROXY in the server's environment, and the user in the proxy's URL.";
  if (/certificate/i.test(why))
    return " Set NODE_EXTRA_CA_CERTS in the server's environment to the certificate file of your own authority.";
  return "";
}

function remedyOf(status: number, repository: string): string {
  switch (status) {
    case 401:
      return "Check the token or the app under github: in millrace.yaml.";
    case 403:
      return "The credential lacks permission: an app needs the permissions listed in docs/pull-requests.md, and an owner must accept new ones.";
    case 404:
      return `${repository} does not exist there, or the credential cannot access it, or the app is not installed on it.`;
    default:
      return "";
  }
}

function quote(thrown: unknown, secrets: readonly string[]): string {
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, "********"), errorMessage(thrown));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const line = said.replace(/[\u0000-\u001f\u007f]+/g, " ").replace(/\s*- https:\/\/\S+$/, "");
  return line.slice(0, MAX_QUOTE).replace(/\.$/, "");
}
