import type { Request } from "express";
import { MillraceError } from "../../errors/error.ts";
import type { Keys } from "../../principals/keys.ts";
import { type Role, roleAllows } from "../../principals/principal.ts";
import type { Sessions } from "../../principals/session.ts";
import type { Caller } from "../../runs/caller.ts";
import type { RunMasks } from "../../runs/output/run-masks.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { hashRunToken, RUN_TOKEN_PREFIX } from "../../runs/turn/run-token.ts";
import { WORKER_TOKEN_PREFIX } from "../../workers/workers.ts";
import { requireSameOrigin, sessionIdOf } from "./browser-session.ts";
import type { AuthLimit } from "./caller-limits.ts";
import { ACTIVITY_HEADER } from "./headers.ts";

export interface AuthorizeDeps {
  keys: Pick<Keys, "recognise">;
  sessions: Pick<Sessions, "recognise" | "look">;
  runs: Pick<RunStore, "find" | "findByToken">;
  masks: Pick<RunMasks, "learn">;
  authLimit: AuthLimit;
  publicUrl: () => string;
}

/**
 * Finds out who calls: by a key, else by the session of a browser.
 * @throws MillraceError `authentication_required`, or `rate_limited` after too many of those; `not_authorized` when another
 * page than this server's has a signed-in browser write
 */
export async function authenticateCaller(request: Request, deps: AuthorizeDeps): Promise<Caller> {
  const session = sessionOf(request, deps);
  if (session !== undefined) return signedIn(session, request, deps);
  const value = bearerOf(request);
  if (value === undefined) throw deps.authLimit.refusal(request, noKey());
  const caller = await findCaller(value, deps);
  if (caller) return caller;
  throw deps.authLimit.refusal(request, whyUnknown(value));
}

/** Whether a request comes with a key or a session, right or wrong. */
export function carriesCredential(
  request: Request,
  { publicUrl }: Pick<AuthorizeDeps, "publicUrl">,
): boolean {
  return request.headers.authorization !== undefined || sessionIdOf(request, publicUrl()) !== undefined;
}

/**
 * Whether a key that was good when a request came is still good. What a run's token reads of that run goes on to the end of
 * the turn's output, but not into the next turn, which has a token of its own.
 */
export async function isStillAdmitted(
  caller: Caller,
  request: Request,
  deps: AuthorizeDeps,
): Promise<boolean> {
  if (caller.kind === "run" && request.params.runId === caller.run.id)
    return (await deps.runs.find(caller.run.id))?.turn === caller.run.turn;
  const session = sessionOf(request, deps);
  if (session !== undefined) return (await deps.sessions.look(session)) !== undefined;
  const value = bearerOf(request);
  return value !== undefined && (await findCaller(value, deps)) !== undefined;
}

/**
 * A body can come, or one call of many be made, long after its caller was known.
 * @throws MillraceError `authentication_required` when the turn of a run's token is over
 */
export async function refuseEndedTurn(
  caller: Caller,
  request: Request,
  deps: Pick<AuthorizeDeps, "runs">,
): Promise<void> {
  if (caller.kind === "key") return;
  if (!(await deps.runs.findByToken(hashRunToken(bearerOf(request) ?? "")))) throw endedTurn();
}

/** The run whose token a refused request has, if the turn of the token is the last that has ended. */
export async function endedRunOf(
  request: Request,
  runs: Pick<RunStore, "findByEndedToken">,
): Promise<Run | undefined> {
  const value = bearerOf(request);
  return value !== undefined && isRunToken(value) ? runs.findByEndedToken(hashRunToken(value)) : undefined;
}

/** A key that is sent along counts instead. */
function sessionOf(request: Request, { publicUrl }: AuthorizeDeps): string | undefined {
  return request.headers.authorization === undefined ? sessionIdOf(request, publicUrl()) : undefined;
}

/** Wrong ids are not counted: nobody guesses one, and a tab whose session has ended shuts out nobody beside it. */
async function signedIn(
  session: string,
  request: Request,
  { sessions, publicUrl }: AuthorizeDeps,
): Promise<Caller> {
  const writes = request.method !== "GET" && request.method !== "HEAD";
  if (writes) requireSameOrigin(request, publicUrl());
  const key = await (isOfPerson(request) ? sessions.recognise(session) : sessions.look(session));
  if (key) return { kind: "key", key, session };
  throw new MillraceError("authentication_required", "The session has ended.", { remedy: "Sign in again." });
}

/** A page that stays open asks by itself, for as long as anything changes: only what somebody does is a use of a session. */
function isOfPerson({ headers }: Request): boolean {
  return headers[ACTIVITY_HEADER] !== undefined || headers["sec-fetch-user"] === "?1";
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

async function findCaller(value: string, { keys, runs, masks }: AuthorizeDeps): Promise<Caller | undefined> {
  if (isRunToken(value)) {
    const run = await runs.findByToken(hashRunToken(value));
    if (run) await masks.learn(run.id);
    return run && { kind: "run", run };
  }
  const key = await keys.recognise(value);
  return key && { kind: "key", key };
}

const isRunToken = (value: string) => value.startsWith(RUN_TOKEN_PREFIX);

function whyUnknown(value: string): MillraceError {
  if (isRunToken(value)) return endedTurn();
  return value.startsWith(WORKER_TOKEN_PREFIX) ? workerToken() : wrongKey();
}

export function noKey(): MillraceError {
  return new MillraceError("authentication_required", "The request has no API key.", {
    remedy: "Send the header `Authorization: Bearer <API key>`.",
  });
}

export function wrongKey(): MillraceError {
  return new MillraceError("authentication_required", "The API key is unknown, expired or revoked.", {
    remedy: "Use another key; an admin can create one with `millrace keys create`.",
  });
}

/** Right or wrong, it opens nothing here: which of the two it is, is not told. */
function workerToken(): MillraceError {
  return new MillraceError(
    "authentication_required",
    "The token of a worker is only for `millrace worker`: it does not give access to the API.",
    { remedy: "Use an API key; an admin can create one with `millrace keys create`." },
  );
}

function endedTurn(): MillraceError {
  return new MillraceError(
    "authentication_required",
    "The turn of this run token has ended, or the token is unknown.",
    {
      remedy: "Use the token in MILLRACE_RUN_TOKEN of the current turn.",
    },
  );
}

/** Why a call that has waited does not go on. */
export function lapsed(caller: Caller): MillraceError {
  return caller.kind === "run" ? endedTurn() : wrongKey();
}

const ONLY_ITS_FAMILY = "A run's token gives access to that run and the runs that descend from it only.";

/**
 * @param needed the least role of a key, nothing where no key is enough: what an agent reports, nobody else says in its name
 * @throws MillraceError `not_authorized` when the caller's role is not enough, or a run's token is no key for this
 */
export function requireRole(caller: Caller, needed: Role | undefined, open: { toRunToken: boolean }): void {
  if (caller.kind === "run") {
    if (open.toRunToken) return;
    throw new MillraceError("not_authorized", ONLY_ITS_FAMILY);
  }
  if (needed === undefined) {
    throw new MillraceError("not_authorized", "Only the run's own agent can report this.", {
      remedy:
        "Send the run's token, which the agent has in MILLRACE_RUN_TOKEN; to steer a run, send it a follow-up.",
    });
  }
  if (roleAllows(caller.key.role, needed)) return;
  throw new MillraceError(
    "not_authorized",
    `This requires the role ${needed}; the API key has the role ${caller.key.role}.`,
    {
      remedy: `Use a key with the role ${needed}.`,
    },
  );
}
