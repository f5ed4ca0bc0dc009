import { createPublicKey, createVerify, generateKeyPairSync, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { onFinished } from "./cleanup.ts";

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

/** An operation that GitHub describes, and what a request says in its path. */
export interface GithubOperation {
  /** As the documentation writes it: `POST /repos/{owner}/{repo}/check-runs`. */
  route: string;
  path: Record<string, string>;
}

type Json = Record<string, unknown>;
interface Described {
  parameters?: Json[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, { examples?: Record<string, Json> }> }>;
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, Json>>;
}

/** A slice of what GitHub publishes; scripts/slice-github-description.mjs says which, and makes it. */
const document = JSON.parse(
  readFileSync(new URL("./github-description.json", import.meta.url), "utf8"),
) as Document;
allowNull(document);
const ajv = new Ajv({ strict: false, logger: false, allErrors: true, coerceTypes: false });
addFormats.default(ajv);
ajv.addSchema(document, "github", false, false);

/**
 * OpenAPI 3.0 says `nullable` where JSON Schema lists a type. Where there is no type beside it, ajv does not know it; and
 * where there is a list of values, GitHub means null to be one of them and does not list it.
 */
function allowNull(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  const schema = node as Json;
  if (schema.nullable === true) {
    if (Array.isArray(schema.enum)) schema.enum = [...schema.enum, null];
    if (schema.type === undefined) {
      const { nullable: _, ...rest } = schema;
      for (const key of Object.keys(schema)) delete schema[key];
      schema.anyOf = [{ type: "null" }, rest];
    }
  }
  for (const value of Object.values(schema)) allowNull(value);
}

/** The operation of a request; nothing when GitHub has none there. */
function findGithubOperation(method: string, pathname: string): GithubOperation | undefined {
  const templates = Object.keys(document.paths).filter(
    (template) => method.toLowerCase() in (document.paths[template] ?? {}),
  );
  // The name of a reference has slashes in it; whatever else fits comes first.
  for (const isOpen of [false, true]) {
    for (const template of templates) {
      const path = matched(template.split("/"), pathname.split("/"), isOpen);
      if (path) return { route: `${method.toUpperCase()} ${template}`, path };
    }
  }
  return undefined;
}

/** @param isOpen whether the last part may have slashes in it */
function matched(
  template: readonly string[],
  asked: readonly string[],
  isOpen: boolean,
): Record<string, string> | undefined {
  const path: Record<string, string> = {};
  const isLonger = isOpen && template.at(-1) === "{ref}" && asked.length > template.length;
  if (asked.length !== template.length && !isLonger) return undefined;
  for (const [index, part] of template.entries()) {
    const isLast = index === template.length - 1;
    const value = decodeURIComponent(isOpen && isLast ? asked.slice(index).join("/") : (asked[index] ?? ""));
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name) path[name] = value;
    else if (part !== value) return undefined;
  }
  return path;
}

/** What of a request its operation does not describe; nothing when it is as it should be. */
function whyNotARequest(
  { route, path }: GithubOperation,
  query: URLSearchParams,
  body: unknown,
): string | undefined {
  const described = describedAt(route);
  const parameters = (described.parameters ?? []).map((parameter) => resolved(parameter));
  const known = new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  const given = [
    ...Object.entries(path).map(([name, value]) => ["path", name, value] as const),
    ...[...query].map(([name, value]) => ["query", name, value] as const),
  ];
  for (const [place, name, value] of given) {
    const parameter = known.get(`${place} ${name}`);
    if (!parameter) return `there is no ${name} in the ${place}`;
    const { type } = parameter.schema as { type?: string };
    const why = against(parameter.schema as Json, type === "integer" ? Number(value) : value);
    if (why) return `${name}: ${why}`;
  }
  if (!described.requestBody) return body === undefined ? undefined : "there is no body";
  const check = ajv.getSchema(pointer(route, "requestBody", "content", "application/json", "schema"));
  if (!check) throw new Error(`GitHub describes no body of ${route}`);
  return check(body) ? undefined : ajv.errorsText(check.errors, { dataVar: "body" });
}

/** GitHub's own example of an answer, with changes to it; held to the description once more. */
function githubAnswer(route: string, status: number, changes: (example: never) => unknown): unknown {
  const content = describedAt(route).responses[String(status)]?.content?.["application/json"];
  const [example] = Object.values(content?.examples ?? {});
  const value = changes(structuredClone(example && resolved(example).value) as never);
  const check = ajv.getSchema(
    pointer(route, "responses", String(status), "content", "application/json", "schema"),
  );
  if (!check?.(value)) {
    throw new Error(`the stand-in answers ${route} wrongly: ${ajv.errorsText(check?.errors)}`);
  }
  return value;
}

function describedAt(route: string): Described {
  const [method = "", path = ""] = route.split(" ");
  const described = document.paths[path]?.[method.toLowerCase()];
  if (!described) throw new Error(`GitHub describes no ${route}`);
  return described;
}

function resolved(node: Json): Json {
  const [, , kind = "", name = ""] = String(node.$ref ?? "").split("/");
  return document.components[kind]?.[name] ?? node;
}

function against(schema: Json, value: unknown): string | undefined {
  const inside = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"github#/')) as Json;
  const check = ajv.compile(inside);
  return check(value) ? undefined : ajv.errorsText(check.errors);
}

function pointer(route: string, ...rest: string[]): string {
  const [method = "", path = ""] = route.split(" ");
  const parts = ["paths", path, method.toLowerCase(), ...rest];
  const escaped = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
  return `github#/${parts.map(escaped).join("/")}`;
}

/** The repository that the stand-in has. */
export const REPOSITORY = "acme/factory";

/** What somebody was told through the API of checks. */
export interface CheckRun {
  id: number;
  name: string;
  head_sha: string;
  external_id: string;
  details_url: string | null;
  status: string;
  conclusion: string | null;
  title: string;
  summary: string;
  annotations: {
    path: string;
    start_line: number;
    start_column: number;
    annotation_level: string;
    title: string;
    message: string;
  }[];
  /** How many annotations came with each request. */
  batches: number[];
}

export interface Status {
  sha: string;
  state: string;
  context: string;
  description: string;
  target_url: string | null;
}

export interface Pull {
  number: number;
  head: string;
  base: string;
  state: "open" | "closed";
}

interface GithubState {
  repository: string;
  pulls: Map<number, Pull>;
  /** The commits of branches. */
  tips: Map<string, string>;
  checkRuns: CheckRun[];
  statuses: Status[];
  tokens: Set<string>;
  /** What was asked of each token of an installation. */
  grants: unknown[];
}

interface Asked {
  path: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, never>;
}
type Handle = (asked: Asked) => { status: number; value: unknown };

const NOT_FOUND = {
  status: 404,
  value: { message: "Not Found", documentation_url: "https://docs.github.com/rest" },
};

/** Every route that the stand-in knows, over what it keeps. */
function githubRoutes(state: GithubState, installation: number): Record<string, Handle> {
  const { pulls, tips, checkRuns, statuses } = state;
  return {
    "GET /repos/{owner}/{repo}/installation": () => ok(INSTALLATION_ROUTE, 200, { id: installation }),
    "POST /app/installations/{installation_id}/access_tokens": ({ path, body }) => {
      state.grants.push(body);
      if (path.installation_id !== String(installation)) return NOT_FOUND;
      const token = `ghs_${randomUUID().replaceAll("-", "")}`;
      state.tokens.add(token);
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      return ok(TOKEN_ROUTE, 201, { token, expires_at });
    },
    "GET /repos/{owner}/{repo}/pulls/{pull_number}": ({ path }) => {
      const pull = pulls.get(Number(path.pull_number));
      if (!pull) return NOT_FOUND;
      return answer(PULL_ROUTE, 200, (example: PullExample) => pullOf(example, pull));
    },
    "GET /repos/{owner}/{repo}/pulls": ({ query }) =>
      answer(PULLS_ROUTE, 200, ([example]: [PullExample]) =>
        [...pulls.values()]
          .filter(({ state: now, base }) => now === query.get("state") && base === query.get("base"))
          .map((pull) => pullOf(structuredClone(example), pull)),
      ),
    "GET /repos/{owner}/{repo}/git/ref/{ref}": ({ path }) => {
      const sha = tips.get(String(path.ref).replace("heads/", ""));
      if (!sha) return NOT_FOUND;
      return answer(REF_ROUTE, 200, (example: { object: object }) => {
        return { ...example, ref: `refs/${path.ref}`, object: { ...example.object, sha } };
      });
    },
    "GET /repos/{owner}/{repo}/commits/{ref}/check-runs": ({ path, query }) =>
      answer(RUNS_ROUTE, 200, (example: { check_runs: RunExample[] }) => {
        const found = checkRuns.filter(
          (run) =>
            run.head_sha === path.ref &&
            run.name === query.get("check_name") &&
            run.status === query.get("status"),
        );
        const shown = found.map((run) => runOf(structuredClone(example.check_runs[0] as RunExample), run));
        return { total_count: found.length, check_runs: shown };
      }),
    "POST /repos/{owner}/{repo}/check-runs": ({ body }) => {
      const run: CheckRun = {
        id: checkRuns.length + 1,
        ...{ name: "", head_sha: "", external_id: "", details_url: null, conclusion: null },
        ...{ title: "", summary: "", annotations: [], batches: [], status: "queued" },
      };
      update(run, body);
      checkRuns.push(run);
      return answer(CREATE_ROUTE, 201, (example: RunExample) => runOf(example, run));
    },
    "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}": ({ path, body }) => {
      const run = checkRuns.find(({ id }) => String(id) === path.check_run_id);
      if (!run) return NOT_FOUND;
      update(run, body);
      return answer(UPDATE_ROUTE, 200, (example: RunExample) => runOf(example, run));
    },
    "POST /repos/{owner}/{repo}/statuses/{sha}": ({ path, body }) => {
      const status = { target_url: null, ...body, sha: String(path.sha) } as unknown as Status;
      // GitHub refuses longer ones, though it does not describe that.
      if (status.description.length > 140) throw new Error("a description of more than 140 characters");
      statuses.push(status);
      const { sha: _, ...shown } = status;
      return ok(STATUS_ROUTE, 201, shown);
    },
  };
}

const INSTALLATION_ROUTE = "GET /repos/{owner}/{repo}/installation";
const TOKEN_ROUTE = "POST /app/installations/{installation_id}/access_tokens";
const PULL_ROUTE = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
const PULLS_ROUTE = "GET /repos/{owner}/{repo}/pulls";
const REF_ROUTE = "GET /repos/{owner}/{repo}/git/ref/{ref}";
const RUNS_ROUTE = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
const CREATE_ROUTE = "POST /repos/{owner}/{repo}/check-runs";
const UPDATE_ROUTE = "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}";
const STATUS_ROUTE = "POST /repos/{owner}/{repo}/statuses/{sha}";

function answer<Example>(route: string, status: number, changes: (example: Example) => unknown) {
  return { status, value: githubAnswer(route, status, changes as never) };
}

function ok(route: string, status: number, changes: object) {
  return answer(route, status, (example: object) => ({ ...example, ...changes }));
}

type PullExample = Record<string, unknown> & { head: object; base: object };
type RunExample = Record<string, unknown> & { output: object };

function pullOf(example: PullExample, { number, head, base, state }: Pull) {
  return {
    ...example,
    number,
    state,
    head: { ...example.head, sha: head },
    base: { ...example.base, ref: base },
    // GitHub's example is older than its description of teams.
    requested_teams: [],
  };
}

function runOf(example: RunExample, run: CheckRun) {
  const { annotations, batches: _, title, summary, ...shown } = run;
  const output = { ...example.output, title, summary, annotations_count: annotations.length };
  return { ...example, ...shown, output };
}

/** Annotations are added to those before. */
function update(run: CheckRun, body: Record<string, unknown>): void {
  const { output, ...rest } = body as { output?: Partial<CheckRun> };
  Object.assign(run, rest);
  if (!output) return;
  run.title = output.title ?? run.title;
  run.summary = output.summary ?? run.summary;
  if (!output.annotations) return;
  run.annotations.push(...output.annotations);
  run.batches.push(output.annotations.length);
}
