import { RequestError } from "@octokit/request-error";
import { errorMessage } from "../../error.ts";
import { proxySecrets } from "../../proxies.ts";
import { HostError } from "../code-host.ts";

/** GitHub asks to wait at least so long when it does not say for how long. */
const UNTOLD_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;
const LONGEST_QUOTE = 200;

/** What a failed request means. @param secrets what must not be shown, whoever has put it into a message */
export function explainFailure(thrown: unknown, repository: string, secrets: readonly string[]): HostError {
  if (thrown instanceof HostError) return thrown;
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (cause instanceof HostError) return cause;
  const response = thrown instanceof RequestError ? thrown.response : undefined;
  if (!response) {
    const why = quote(thrown, [...secrets, ...proxySecrets(process.env)]);
    return new HostError("unavailable", `GitHub could not be asked: ${why}.${remedyOfSilence(why)}`);
  }
  const { status, headers } = response;
  const said = quote(thrown, secrets);
  if (isRateLimit(status, headers, said)) {
    const retryAfterMs = waitOf(headers);
    return new HostError("unavailable", `GitHub has had enough requests for now (${status}).`, {
      retryAfterMs,
      status,
    });
  }
  if (status >= 500) return new HostError("unavailable", `GitHub answered ${status}: ${said}.`, { status });
  return new HostError("refused", `GitHub refused it (${status}: ${said}). ${remedyOf(status, repository)}`, {
    status,
  });
}

/** @throws HostError for an answer that leads elsewhere: what comes with the request is meant for nobody else */
export function refuseRedirect(status: number, location: string | null): void {
  if (status < 300 || status >= 400) return;
  const target = location && URL.canParse(location) ? ` to ${new URL(location).origin}` : "";
  throw new HostError(
    "refused",
    `GitHub redirects${target}, which is not followed because it could carry the credential elsewhere. ` +
      "Was the repository renamed? Give its new name, or the new api, below github: in millrace.yaml.",
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
  const told = seconds > 0 ? seconds * 1_000 : reset > 0 ? reset : UNTOLD_WAIT_MS;
  return Math.min(told, LONGEST_WAIT_MS);
}

/** What stands between a server and the host in many companies. */
function remedyOfSilence(why: string): string {
  if (/tunnel|proxy/i.test(why))
    return " Check HTTPS_PROXY and NO_PROXY of the server's environment, and the user in the proxy's URL.";
  if (/certificate/i.test(why))
    return " Name the file of your own authority in NODE_EXTRA_CA_CERTS of the server's environment.";
  return "";
}

function remedyOf(status: number, repository: string): string {
  switch (status) {
    case 401:
      return "Check the token or the app below github: in millrace.yaml.";
    case 403:
      return "The credential may not do that: an app needs the permissions of docs/pull-requests.md, and an owner has to accept new ones.";
    case 404:
      return `There is no ${repository} there, or the credential may not see it, or the app is not installed on it.`;
    default:
      return "";
  }
}

function quote(thrown: unknown, secrets: readonly string[]): string {
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, "********"), errorMessage(thrown));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const line = said.replace(/[\u0000-\u001f\u007f]+/g, " ").replace(/\s*- https:\/\/\S+$/, "");
  return line.slice(0, LONGEST_QUOTE).replace(/\.$/, "");
}
