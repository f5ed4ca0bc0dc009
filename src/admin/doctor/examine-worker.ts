import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { errorMessage, systemCode } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import { outgoingFetch } from "../../platform/outgoing-fetch.ts";
import { proxyVariableOf } from "../../platform/proxies.ts";
import { DOOR_PATH, PROTOCOL } from "../../workers/protocol/messages.ts";
import { readTokenFile, requireServerUrl, withoutSlash } from "../../workers/server-url.ts";
import { hasServer } from "./examine.ts";
import { type DoctorFinding, examined, ok, problem, warning } from "./finding.ts";
import { examineAgents, examineDisk, examineGit, examineLeft, examineModes } from "./machine.ts";

export interface WorkerExamination {
  config: Config;
  /** Where its server is. */
  server: string;
  tokenFile: string;
  dataDir: string;
}

/**
 * Looks at all that a worker with these settings needs, beside one that runs or without it. Nothing is changed, here or on the
 * server.
 * @returns what was found, the machine first
 */
export async function examineWorker(
  { config, server, tokenFile, dataDir: folder }: WorkerExamination,
  now: () => number,
): Promise<DoctorFinding[]> {
  const dataDir = resolve(folder);
  const token = await examined("token", () => examineToken(tokenFile));
  const hasToken = token.every(({ status }) => status !== "error");
  return [
    ...(await examined("git", examineGit)),
    ...(await examined("sandbox", () => examineAgents({ ...config, dataDir }))),
    ...(await examineFolder(config, dataDir)),
    ...token,
    ...(hasToken
      ? await examined("server", async () =>
          examineServer(withoutSlash(server), await readTokenFile(tokenFile), now),
        )
      : []),
  ];
}

async function examineToken(tokenFile: string): Promise<DoctorFinding[]> {
  await readTokenFile(tokenFile);
  const [modes] = await examineModes([tokenFile]);
  const good = ok("token", `only the user of ${tokenFile} can read it`);
  return [modes === undefined || modes.status === "ok" ? good : { ...modes, check: "token" }];
}

async function examineFolder(config: Config, dataDir: string): Promise<DoctorFinding[]> {
  const isThere = existsSync(dataDir);
  const writable = await examined("data folder", () => examineWritable(dataDir, isThere));
  if (!isThere) return writable;
  const isRunning = hasServer(dataDir);
  return [
    ...writable,
    ok("worker", isRunning ? `a worker is running on ${dataDir}` : `no worker is running on ${dataDir}`),
    ...(await examined("disk", () => examineDisk({ dataDir }))),
    ...(await examined("disk use", async () =>
      examineLeft({ ...config, dataDir, workspacesDir: undefined }),
    )),
    ...(await examined("file modes", () => examineModes([dataDir]))),
  ];
}

/** The folder that is there, or the one that it would be made in. */
async function examineWritable(dataDir: string, isThere: boolean): Promise<DoctorFinding> {
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    return problem(
      "data folder",
      `This user cannot write to ${folder}: ${errorMessage(error)}.`,
      "Specify another folder with --data-dir, or give the user of the worker write access.",
    );
  }
  const message = isThere
    ? `${dataDir} is writable`
    : `${dataDir} does not exist yet: the first start creates it`;
  return ok("data folder", message);
}

const ANSWER_WITHIN_MS = 10_000;
const CHECK = "server";
/** Of what another machine says. */
const MAX_SHOWN = 300;

/**
 * Whether a server can be reached, and takes the token and the protocol of this version. It is asked about a turn that does not
 * exist: that needs both, takes no turn, and does not count as a process that is connected.
 * @param now in milliseconds
 * @throws MillraceError `invalid_request` for a URL that a worker does not use
 */
export async function examineServer(
  server: string,
  token: string,
  now: () => number,
): Promise<DoctorFinding[]> {
  requireServerUrl(server);
  const url = `${server}/api/v1${DOOR_PATH}/call`;
  const turn = { id: newUuid(), ticket: 1 };
  const body = { protocol: PROTOCOL, process: "doctor", turn, call: "listMessages", parameters: {} };
  const askedAt = now();
  try {
    const response = await outgoingFetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await response.text();
    const middle = (askedAt + now()) / 2;
    return [ofAnswer(server, response, text), ...clockOf(response.headers.get("date"), middle)];
  } catch (error) {
    return [notReached(server, error)];
  }
}

function ofAnswer(server: string, { status, headers }: Response, text: string): DoctorFinding {
  const { type, detail, remedy } = parsed(text);
  const said = typeof detail === "string" ? shortened(detail) : undefined;
  if (status === 409 && typeof type === "string" && type.endsWith("/errors/conflict"))
    return ok(CHECK, `${server} accepts the token and version ${PROTOCOL} of the worker protocol`);
  if (status === 401 && said !== undefined)
    return problem(
      CHECK,
      `${server} does not accept the token: it is not the token of a worker, or the worker was revoked.`,
      "Compare the name with `millrace workers list`, or create a worker with `millrace workers create NAME`, and write its token into the token file.",
    );
  if (status === 422 && said !== undefined)
    return problem(
      CHECK,
      said,
      typeof remedy === "string" ? shortened(remedy) : "Install the same version on both machines.",
    );
  if (status === 429 && said !== undefined)
    return warning(CHECK, `${server} answers, but refuses requests: ${said}`, "Try again in a minute.");
  if (status >= 300 && status < 400)
    return problem(
      CHECK,
      `${server} redirects to ${shortened(headers.get("location") ?? "another address")}, which workers do not follow.`,
      "Use that address as --server, if it is the one of your server.",
    );
  if (said !== undefined && status >= 500)
    return problem(CHECK, `${server} answers with status ${status}: ${said}`, "Read the log of the server.");
  return problem(
    CHECK,
    `Something else than this version of millrace answers at ${server}, with status ${status}.`,
    "Check --server, and what the proxy before the server forwards. The server may be too old for workers.",
  );
}

/** Leases go by the clock of the server alone: a difference is told because it explains times that look wrong. */
function clockOf(date: string | null, now: number): DoctorFinding[] {
  const there = Date.parse(date ?? "");
  if (Number.isNaN(there)) return [];
  // The header has whole seconds.
  const seconds = Math.round((there + 500 - now) / 1000);
  if (Math.abs(seconds) <= 1) return [ok("clock", "it shows the same time as that of the server")];
  const direction = seconds > 0 ? "ahead of" : "behind";
  return [
    ok(
      "clock",
      `the clock of the server is ${Math.abs(seconds)} s ${direction} this one; leases do not depend on it`,
    ),
  ];
}

/** What Node says of a connection that was not made, in words. */
const REASONS: Readonly<Record<string, [reason: string, remedy: string]>> = {
  ECONNREFUSED: [
    "nothing listens there",
    "Start the server, check --server, and see that no firewall is in between.",
  ],
  ENOTFOUND: ["the host name is not known", "Check --server and the name server of this machine."],
  EAI_AGAIN: ["the name server of this machine does not answer", "Check the network of this machine."],
  CERT_HAS_EXPIRED: ["its certificate has expired", "Renew the certificate of the server."],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "its certificate is for another host name",
    "Use the name of the certificate in --server, or give the server a certificate for this name.",
  ],
};

const UNKNOWN_AUTHORITY = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function notReached(server: string, error: unknown): DoctorFinding {
  const { cause = error } = error as Error & { cause?: unknown };
  const code = systemCode(cause) ?? "";
  const variable = proxyVariableOf(new URL(server), process.env)?.toUpperCase();
  const through = variable === undefined ? "" : `, through the proxy in ${variable}`;
  const [reason, remedy] = REASONS[code] ?? reasonOf(code, cause);
  const first = variable === undefined ? "" : `Check ${variable} and NO_PROXY. `;
  return problem(CHECK, `${server} cannot be reached${through}: ${reason}.`, first + remedy);
}

function reasonOf(code: string, cause: unknown): [reason: string, remedy: string] {
  if (UNKNOWN_AUTHORITY.has(code))
    return [
      "its certificate is not signed by an authority that this machine trusts",
      "Set NODE_EXTRA_CA_CERTS to a file with the certificate of your authority.",
    ];
  if (cause instanceof Error && cause.name === "TimeoutError")
    return [
      `it does not answer within ${ANSWER_WITHIN_MS / 1000} s`,
      "See that no firewall is in between, and that the server is not overloaded.",
    ];
  // A server without TLS, asked with it.
  if (/wrong version number|packet length too long|ssl3_get_record/i.test(errorMessage(cause)))
    return ["no TLS is spoken there", "Check the scheme and the port of --server."];
  return [shortened(errorMessage(cause)), "Check --server, the network and the proxies of this machine."];
}

function parsed(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null ? { ...json } : {};
  } catch {
    return {};
  }
}

const shortened = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
