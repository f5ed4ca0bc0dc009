import { errorMessage } from "../errors/error.ts";
import { proxySecrets } from "../platform/proxies.ts";
import { GIT_USER } from "./git-environment.ts";
import { SourceError, type SourceErrorCode } from "./revision.ts";

interface Symptom {
  pattern: RegExp;
  code: SourceErrorCode;
  remedy: string | ((asked: Asked) => string);
}

/** How it came to the failure, as far as the remedy depends on it. */
export interface Asked {
  /** Where a person sets the token. */
  tokenIn: string;
  /** Whether git is asked again by itself. */
  isRepeated: boolean;
}

/** The source of a factory: opened by the settings of the server, and polled. */
const POLLED: Asked = { tokenIn: "MILLRACE_GIT_TOKEN or MILLRACE_GIT_TOKEN_FILE", isRepeated: true };

/** What git says, and what a person should do about it. The first that fits wins. */
const SYMPTOMS: readonly Symptom[] = [
  {
    pattern: /dubious ownership/i,
    code: "GIT_REFUSED",
    remedy:
      "git on the host of the repository refuses it because of its owner: on that host, make the user that serves it its owner.",
  },
  {
    pattern: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    code: "GIT_AUTHENTICATION_FAILED",
    remedy: "The host's key is unknown: add it to the file that MILLRACE_GIT_KNOWN_HOSTS_FILE specifies.",
  },
  {
    pattern: /Permission denied \(|Load key|UNPROTECTED PRIVATE KEY/i,
    code: "GIT_AUTHENTICATION_FAILED",
    remedy:
      "The host refused the ssh key: check MILLRACE_GIT_SSH_KEY_FILE, and that the key is a deploy key on the host.",
  },
  {
    pattern: /proxy after CONNECT|CONNECT tunnel failed|resolve proxy/i,
    code: "GIT_UNREACHABLE",
    remedy:
      "The proxy refused the connection: check HTTPS_PROXY and NO_PROXY in the server's environment, and the user in the proxy's URL.",
  },
  {
    pattern: /certificate verif|certificate problem|self.signed certificate/i,
    code: "GIT_UNREACHABLE",
    remedy:
      "The host's certificate is not signed by an authority that this machine trusts: set NODE_EXTRA_CA_CERTS in the server's environment to the certificate file of your own authority, readable by the server's user.",
  },
  {
    pattern: /Authentication failed|could not read (Username|Password)|returned error: 40[13]/i,
    code: "GIT_AUTHENTICATION_FAILED",
    remedy: ({ tokenIn }) => `The host refused the token or requires one: check ${tokenIn}.`,
  },
  {
    pattern: /returned error: 30\d|redirect/i,
    code: "GIT_REFUSED",
    remedy:
      "The host redirects; the redirect is not followed because it could send the token to another host: use the new URL.",
  },
  {
    pattern: /transport '.*' not allowed|protocol .* not allowed/i,
    code: "GIT_REFUSED",
    remedy: "Only https, http, ssh, git and local repositories are supported.",
  },
  {
    pattern: /does not appear to be a git repository|repository .* not found|returned error: 404|not found/i,
    code: "GIT_UNREACHABLE",
    remedy: "The repository does not exist, or the credential cannot access it.",
  },
  {
    pattern: /block timeout reached/,
    code: "GIT_UNREACHABLE",
    remedy: ({ isRepeated }) =>
      `Git produced no output for a minute and was stopped: check the host and the network.${isRepeated ? " millrace will retry." : ""}`,
  },
  {
    pattern: /./,
    code: "GIT_UNREACHABLE",
    remedy: ({ isRepeated }) => (isRepeated ? "millrace will retry." : "Check the host and the network."),
  },
];

/** What a failed git command means, as a {@link SourceError} that holds no credential. */
export function explainFailure(
  url: string,
  thrown: unknown,
  secret: string | undefined,
  asked: Asked = POLLED,
): SourceError {
  if (thrown instanceof SourceError) return thrown;
  const said = mask(errorMessage(thrown), secret);
  const symptom = SYMPTOMS.find(({ pattern }) => pattern.test(said));
  const line = firstTellingLine(said);
  const remedy = typeof symptom?.remedy === "function" ? symptom.remedy(asked) : (symptom?.remedy ?? "");
  return new SourceError(
    symptom?.code ?? "GIT_UNREACHABLE",
    `git could not read ${mask(url, secret)}: ${line}. ${remedy}`.trim(),
  );
}

/** What a fetch tells of how far it has come. */
const PROGRESS = /^(remote: )?([A-Z][a-z]+ [a-z]+: +\d|Total \d+ )/;

function firstTellingLine(said: string): string {
  const lines = said
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\p{C}+/gu, " ").trim())
    .filter((line) => !PROGRESS.test(line));
  const telling =
    lines.find((line) => /^(fatal|error|ssh|remote):/i.test(line)) ?? lines.find((line) => line !== "");
  return (telling ?? "no reason given")
    .replace(/^(fatal|error):\s*/i, "")
    .replace(/\.$/, "")
    .slice(0, 300);
}

/** A host can send back what it was sent, in the forms in which it was sent. */
function mask(said: string, secret: string | undefined): string {
  const masked = said.replace(/(\w+:\/\/)[^/\s@]+@/g, "$1");
  const header = Buffer.from(`${GIT_USER}:${secret}`).toString("base64");
  const forms = secret ? [secret, header, encodeURIComponent(secret)] : [];
  return [...forms, ...proxySecrets(process.env)].reduce(
    (text, form) => text.replaceAll(form, "********"),
    masked,
  );
}
