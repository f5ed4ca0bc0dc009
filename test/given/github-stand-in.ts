import { createPublicKey, createVerify, generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onFinished } from "./cleanup.ts";
import { findGithubOperation, whyNotARequest } from "./github-description.ts";
import { type GithubState, githubRoutes, REPOSITORY } from "./github-routes.ts";

export const TOKEN = "a-personal-token-of-ann";
const INSTALLATION = 815;
export const APP_ID = 4711;

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** As GitHub gives it to who makes an app. */
export const PRIVATE_KEY = privateKey.export({ type: "pkcs1", format: "pem" }).toString();

export interface GithubStandIn extends GithubState {
  /** The base of its API. */
  api: string;
  /** Requests that came, as `POST /repos/{owner}/{repo}/check-runs`, with their credentials. */
  requests: { route: string; authorization: string | undefined; at: number }[];
  /** What answers instead, as long as it is set: an outage, a limit, a redirect. */
  instead: ((response: ServerResponse, request: IncomingMessage) => void) | undefined;
  /** Happens before a request is answered. */
  before: (route: string) => unknown;
  /** Installation tokens that count. */
  tokens: Set<string>;
}

/**
 * What of GitHub's API a pull request needs, on loopback: it holds every request and each of its own answers to the
 * description that GitHub publishes, and keeps what it is told. Check runs are for apps alone, as there.
 */
export async function githubStandIn(): Promise<GithubStandIn> {
  const wrong: string[] = [];
  const host: GithubStandIn = {
    api: "",
    repository: REPOSITORY,
    pulls: new Map(),
    tips: new Map(),
    checkRuns: [],
    statuses: [],
    grants: [],
    requests: [],
    instead: undefined,
    before: () => {},
    tokens: new Set(),
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      wrong.push(String(error));
      response.writeHead(500).end("{}");
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", host.api);
    const operation = findGithubOperation(request.method ?? "", url.pathname.replace("/api/v3", ""));
    const route = operation?.route ?? `${request.method} ${url.pathname}`;
    host.requests.push({ route, authorization: request.headers.authorization, at: Date.now() });
    await host.before(route);
    if (host.instead) return host.instead(response, request);
    if (!operation) throw new Error(`GitHub has no ${route}`);
    const hasBody =
      Number(request.headers["content-length"] ?? 0) > 0 || request.headers["transfer-encoding"];
    const body = hasBody ? await json(request) : undefined;
    const why = whyNotARequest(operation, url.searchParams, body);
    if (why) throw new Error(`${route}: ${why}`);
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const caller = callerOf(request.headers.authorization, host);
    if (caller === undefined) return void send(401, { message: "Bad credentials" });
    if (route.includes("installation")) {
      if (caller !== "key") return void send(401, { message: "A JSON web token could not be decoded" });
    } else if (operation.path.owner !== "acme" || operation.path.repo !== "factory") {
      return void send(404, { message: "Not Found" });
    } else if (route.includes("check-run") && request.method !== "GET" && caller !== "app") {
      return void send(403, { message: "You must authenticate via a GitHub App." });
    }
    const handle = githubRoutes(host, INSTALLATION)[route];
    if (!handle) throw new Error(`the stand-in does not know ${route}`);
    const { status, value } = handle({ path: operation.path, query: url.searchParams, body: body as never });
    send(status, value);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    server.closeAllConnections();
    server.close();
    if (wrong.length > 0) throw new Error(`against GitHub's description:\n${wrong.join("\n")}`);
  });
  host.api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
  return host;
}

/** Who comes: a person with a token, an app with its key, or an installation with what that was exchanged for. */
function callerOf(authorization: string | undefined, { tokens }: GithubStandIn) {
  const [, credential = ""] = /^(?:Bearer|token) (.+)$/i.exec(authorization ?? "") ?? [];
  if (credential === TOKEN) return "person";
  if (tokens.has(credential)) return "app";
  return isProof(credential) ? "key" : undefined;
}

function isProof(token: string): boolean {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const verify = createVerify("RSA-SHA256").update(`${header}.${payload}`);
  if (
    !verify.verify(createPublicKey(publicKey.export({ type: "spki", format: "pem" })), signature, "base64url")
  )
    return false;
  const { iss, exp, iat } = JSON.parse(Buffer.from(payload, "base64url").toString());
  const now = Date.now() / 1_000;
  // GitHub takes ten minutes at most.
  return String(iss) === String(APP_ID) && iat <= now && exp > now && exp - now <= 600;
}
