import express, { type Request, type Response, type Router } from "express";
import type { BodyRoom } from "../../edge/body-room.ts";
import { bodyReader } from "../../edge/read-body.ts";
import { whenLeft } from "../../edge/when-left.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Mirror } from "../../git/mirrors/mirror.ts";
import type { CloneServer, PackedBody } from "../../git/serve/clone-server.ts";
import type { Refreshes } from "../../git/serve/refreshes.ts";
import type { Log } from "../../log.ts";
import type { AuthLimit } from "../http/limits/auth-limit.ts";
import { refuseGit } from "./git-answers.ts";
import { gitCredential } from "./git-credential.ts";
import { type GitPlace, gitPlaceOf } from "./git-place.ts";

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
export type FindClone = (
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
