import { createHash } from "node:crypto";
import express, { type Request, type Response, type Router } from "express";
import type { BodyRoom } from "../../edge/body-room.ts";
import { bodyReader, SenderGone } from "../../edge/read-body.ts";
import { whenLeft } from "../../edge/when-left.ts";
import { ERROR_CODES, errorMessage, MillraceError } from "../../errors/error.ts";
import { isOfRepository } from "../../git/checkout.ts";
import { ASK_AGAIN, SERVER_FAILED } from "../../git/mirrors/ask-again.ts";
import type { Mirror } from "../../git/mirrors/mirror.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import { SourceError } from "../../git/revision.ts";
import type { CloneServer, PackedBody } from "../../git/serve/clone-server.ts";
import type { Refreshes } from "../../git/serve/refreshes.ts";
import type { Log } from "../../log.ts";
import type { Run } from "../../runs/run.ts";
import type { HeldTurns } from "../../workers/held-turns.ts";
import type { Workers } from "../../workers/workers.ts";
import type { AuthLimit } from "../http/caller-limits.ts";

/** What a worker asks to clone. */
export interface CloneAsked extends Omit<GitPlace, "service"> {
  /** The Authorization header with the worker's token as a bearer token. */
  authorization: string;
}

/** A mirror that a worker may clone. */
export interface FoundClone {
  mirror: Mirror;
  /** Brings it up to date, with the heads that the worker's runs are about. */
  refresh(signal: AbortSignal): Promise<void>;
}

/** Which mirror a worker may clone: nothing when no run of it has the repository. */
type FindClone = (
  asked: CloneAsked,
  signal: AbortSignal,
) => Promise<FoundClone | undefined | "unauthenticated">;

export interface GitRouteDeps {
  findClone: FindClone;
  clones: CloneServer;
  refreshes: Refreshes;
  room: BodyRoom;
  authLimit: AuthLimit;
  log: Pick<Log, "warn">;
}

const ROUTE = "/workers/door/git";
/** What a fetch of very many branches wants, or a client with a very long history has, compressed. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const REQUEST_TYPE = "application/x-git-upload-pack-request";
/** Of two pieces: the name of the service, and an end. */
const SERVICE_LINE = "001e# service=git-upload-pack\n0000";

/** The read-only smart HTTP of git, by which workers clone the repositories of their runs from this server's mirrors. */
export function gitRoutes(deps: GitRouteDeps): Router {
  const router = express.Router();
  router.use(ROUTE, async (request: Request, response: Response) => {
    const gone = new AbortController();
    whenLeft(request, response, () => {
      gone.abort(new ClientGone());
      response.destroy();
    });
    try {
      await answer(request, response, gone.signal, deps);
    } catch (error) {
      if (!gone.signal.aborted) refuseGit(request, response, error, deps.log);
    }
  });
  return router;
}

/** There is nobody left to answer. */
class ClientGone extends Error {}

async function answer(
  request: Request,
  response: Response,
  signal: AbortSignal,
  deps: GitRouteDeps,
): Promise<void> {
  const place = gitPlaceOf(request.path);
  if (!place) throw notFound();
  checkService(request, place);
  const credential = gitCredential(request.headers.authorization);
  if (!credential) throw unauthenticated();
  const { forge, owner, name } = place;
  const clone = await deps.findClone({ authorization: credential.authorization, forge, owner, name }, signal);
  if (clone === "unauthenticated") throw deps.authLimit.refusal(request, unauthenticated());
  if (!clone) throw notFound();
  const { client } = credential;
  const { mirror } = clone;
  if (place.service === "git-upload-pack") {
    const body = await readPackedBody(request, deps.room);
    const open = () => begin(response, "result");
    return deps.clones.answer({ mirror, client, body, open }, signal);
  }
  const key = `${client} ${request.path}`;
  if (!(await deps.refreshes.run(key, clone.refresh, signal))) throw notYet(`${owner}/${name}`);
  const open = () => {
    const answer = begin(response, "advertisement");
    answer.write(SERVICE_LINE);
    return answer;
  };
  return deps.clones.answer({ mirror, client, open }, signal);
}

/** Refuses what is not a clone or a fetch by smart HTTP, before anybody is asked about the repository. */
function checkService(request: Request, { service }: GitPlace): void {
  const isList = service === "info/refs";
  if (request.method !== (isList ? "GET" : "POST"))
    throw new MillraceError("method_not_allowed", `${request.method} is not allowed here.`);
  if (isList && request.query.service !== "git-upload-pack")
    throw new MillraceError(
      "not_authorized",
      "This server's copies of repositories are read-only, by git's smart HTTP protocol: push to the forge.",
    );
  if (!isList && request.headers["content-type"] !== REQUEST_TYPE)
    throw new MillraceError("invalid_request", `The Content-Type of the request is not ${REQUEST_TYPE}.`);
}

/** It is read as a whole before its turn, because a server ends requests that take long to come. */
async function readPackedBody(request: Request, room: BodyRoom): Promise<PackedBody> {
  const encoding = (request.headers["content-encoding"] ?? "identity").toLowerCase();
  if (!["identity", "gzip", "x-gzip"].includes(encoding))
    throw new MillraceError("invalid_request", "The Content-Encoding of the request is not gzip.");
  const body = await bodyReader({ room, limit: MAX_BODY_BYTES })(request);
  if ("tooLarge" in body)
    throw new MillraceError("payload_too_large", `The git request is larger than ${MAX_BODY_BYTES} bytes.`);
  return { bytes: body.bytes, isZipped: encoding !== "identity" };
}

function begin(response: Response, kind: "advertisement" | "result"): Response {
  response.writeHead(200, {
    "content-type": `application/x-git-upload-pack-${kind}`,
    "cache-control": "no-store",
    // A proxy that takes the whole clone would hide how fast its client reads.
    "x-accel-buffering": "no",
  });
  return response;
}

function unauthenticated(): MillraceError {
  return new MillraceError("authentication_required", "The token of a worker is required as the password.");
}

/** The same for what does not exist and for what the worker has no run for. */
function notFound(): MillraceError {
  return new MillraceError("resource_not_found", "No run of this worker has a repository at this path.");
}

function notYet(repository: string): MillraceError {
  return new MillraceError(
    "service_unavailable",
    `The server's mirror of ${repository} is being brought up to date.`,
    { retryAfter: 5 },
  );
}

const CHALLENGE = 'Basic realm="millrace workers", charset="UTF-8"';
/**
 * What the forge did not give: 424 Failed Dependency. An answer of 502 would be one of a proxy before a server that is away, for which
 * workers wait.
 */
const FORGE_FAILED = 424;

/**
 * Answers a git request that failed, as text: git shows that to its user, and nothing of other types. An answer that has
 * begun is cut off, so that its client does not take it for whole.
 */
function refuseGit(request: Request, response: Response, error: unknown, log: Pick<Log, "warn">): void {
  const { status, text, retryAfter } = explained(error);
  if (status === 500) log.warn({ error: errorMessage(error) }, "a clone by a worker failed");
  if (error instanceof SenderGone || response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (status === 401) response.setHeader("www-authenticate", CHALLENGE);
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  // What is left of a body is not read.
  if (!request.complete) response.setHeader("connection", "close");
  response
    .setHeader("cache-control", "no-store")
    .status(status)
    .type("text/plain; charset=utf-8")
    .end(`${text}\n`);
}

function explained(error: unknown): { status: number; text: string; retryAfter?: number | undefined } {
  if (error instanceof SourceError) return { status: FORGE_FAILED, text: error.message };
  if (!(error instanceof MillraceError)) return { status: 500, text: SERVER_FAILED };
  const { message, remedy, retryAfter } = error;
  const { status } = ERROR_CODES[error.code];
  const advice = status === 503 ? ASK_AGAIN : remedy;
  return { status, text: advice === undefined ? message : `${message} ${advice}`, retryAfter };
}

/** What a path below the route of clones names. */
interface GitPlace {
  forge: string;
  /** May contain slashes, as groups on some forges do. */
  owner: string;
  name: string;
  /** What is asked of the repository. */
  service: "info/refs" | "git-upload-pack";
}

const PATH = /^\/([^/]+)\/(.+)\/([^/]+)\.git\/(info\/refs|git-upload-pack)$/;

/**
 * The repository and the service that a path names, such as `/github/acme/shop.git/info/refs`; nothing for any other path.
 * Names come decoded, and none of them can step out of a folder.
 */
function gitPlaceOf(path: string): GitPlace | undefined {
  const [, forge, owner, name, service] = PATH.exec(path) ?? [];
  const parts = [forge, ...(owner?.split("/") ?? []), name].map(decoded);
  if (!parts.every((part): part is string => part !== undefined)) return undefined;
  return {
    forge: parts[0] ?? "",
    owner: parts.slice(1, -1).join("/"),
    name: parts.at(-1) ?? "",
    service: service === "info/refs" ? "info/refs" : "git-upload-pack",
  };
}

function decoded(part: string | undefined): string | undefined {
  try {
    const text = decodeURIComponent(part ?? "");
    return text === "" || text === "." || text === ".." || /[/\\\p{Cc}]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What a worker's git sent to show who it is. */
export interface GitCredential {
  /** The header as the rest of the API takes it. */
  authorization: string;
  /** Tells clients apart, and is no secret. */
  client: string;
}

/**
 * The token in the Authorization header of a git request. Git sends it as the password of HTTP Basic, and the user name says
 * nothing.
 */
function gitCredential(header: string | undefined): GitCredential | undefined {
  const token = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? passwordIn(header);
  if (token === undefined) return undefined;
  return {
    authorization: `Bearer ${token}`,
    client: createHash("sha256").update(token).digest("hex"),
  };
}

function passwordIn(header: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header ?? "")?.[1];
  const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const password = text.includes(":") ? text.slice(text.indexOf(":") + 1) : "";
  return /^[!-~]+$/.test(password) ? password : undefined;
}

export interface FindCloneDeps {
  registry: Workers;
  held: HeldTurns;
  repositories: { mirrors: MirrorCache };
}

/** A worker may clone the repositories of the runs that it has now, and no other. */
export function cloneFinder({ registry, held, repositories: { mirrors } }: FindCloneDeps): FindClone {
  return async ({ authorization, forge, owner, name }) => {
    const worker = await registry.authenticate(authorization);
    if (!worker) return "unauthenticated";
    const asked = (each: { owner: string; name: string }) => each.owner === owner && each.name === name;
    const found = (await held.listRepositories(worker.id)).flatMap(({ run, repositories }) =>
      repositories.filter(asked).flatMap(({ remote }) => ("missing" in remote ? [] : [{ run, remote }])),
    );
    const ofForge = found.filter(({ remote }) => remote.forge === forge);
    const [first] = ofForge;
    if (!first) return undefined;
    const mirror = mirrors.of(first.remote);
    const runs = ofForge.map(({ run }) => run);
    return { mirror, refresh: (signal) => refresh(mirror, { owner, name }, runs, signal) };
  };
}

/** Brings a mirror up to date, with what the runs are about: heads of pull requests are no branches. */
async function refresh(
  mirror: Mirror,
  repository: { owner: string; name: string },
  runs: readonly Run[],
  signal: AbortSignal,
): Promise<void> {
  await mirror.refresh(signal);
  for (const { execution } of runs) {
    const { checkout, requestedCheckout } = execution;
    // What is missing is told by the worker, which looks for it next.
    if (checkout && isOfRepository(repository, checkout))
      await mirror.fetchRef(checkout.ref, signal).catch(() => signal.throwIfAborted());
    if (requestedCheckout && isOfRepository(repository, requestedCheckout))
      await mirror.find(requestedCheckout.ref, signal).catch(() => signal.throwIfAborted());
  }
}
