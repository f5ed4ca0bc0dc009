import type { Request } from "express";
import { MillraceError } from "../error.ts";
import type { Keys } from "../principals/keys.ts";
import { type ApiKey, type Role, roleAllows } from "../principals/principal.ts";
import type { Sessions } from "../principals/session.ts";
import type { Run, RunStore } from "../runs/run.ts";
import { hashRunToken, RUN_TOKEN_PREFIX } from "../runs/run-token.ts";
import { ACTIVITY_HEADER } from "./api-header.ts";
import type { FailedKeys } from "./failed-keys.ts";
import { requireOwnPage } from "./own-page.ts";
import { sessionIdOf } from "./session-cookie.ts";

/** Who calls: somebody with a key, or the agent of a run with that run's token. */
export type Caller = { kind: "key"; key: ApiKey } | { kind: "run"; run: Run };

export interface AuthorizeParts {
  keys: Pick<Keys, "recognise">;
  sessions: Pick<Sessions, "recognise" | "look">;
  runs: Pick<RunStore, "findByToken">;
  failedKeys: FailedKeys;
  publicUrl: () => string;
}

/**
 * Finds out who calls: by a key, else by the session of a browser.
 * @throws MillraceError `authentication_required`, or `rate_limited` after too many of those; `not_authorized` when another
 * page than this server's has a signed-in browser write
 */
export async function authenticateCaller(request: Request, parts: AuthorizeParts): Promise<Caller> {
  const session = sessionOf(request, parts);
  if (session !== undefined) return signedIn(session, request, parts);
  const value = bearerOf(request);
  if (value === undefined) throw parts.failedKeys.refusal(request, noKey());
  const caller = await findCaller(value, parts);
  if (caller) return caller;
  throw parts.failedKeys.refusal(request, wrongKey());
}

/** Whether a request comes with a key or a session, right or wrong. */
export function carriesCredential(
  request: Request,
  { publicUrl }: Pick<AuthorizeParts, "publicUrl">,
): boolean {
  return request.headers.authorization !== undefined || sessionIdOf(request, publicUrl()) !== undefined;
}

/** Whether a key that was good when a request came is still good. The token of a run ends with what it can read. */
export async function isStillAdmitted(
  caller: Caller,
  request: Request,
  parts: AuthorizeParts,
): Promise<boolean> {
  if (caller.kind === "run") return true;
  const session = sessionOf(request, parts);
  if (session !== undefined) return (await parts.sessions.look(session)) !== undefined;
  const value = bearerOf(request);
  return value !== undefined && (await findCaller(value, parts)) !== undefined;
}

/** A key that is sent along counts instead. */
function sessionOf(request: Request, { publicUrl }: AuthorizeParts): string | undefined {
  return request.headers.authorization === undefined ? sessionIdOf(request, publicUrl()) : undefined;
}

/** Wrong ids are not counted: nobody guesses one, and a tab whose session has ended shuts out nobody beside it. */
async function signedIn(
  session: string,
  request: Request,
  { sessions, publicUrl }: AuthorizeParts,
): Promise<Caller> {
  const writes = request.method !== "GET" && request.method !== "HEAD";
  if (writes) requireOwnPage(request, publicUrl());
  const key = await (isOfPerson(request) ? sessions.recognise(session) : sessions.look(session));
  if (key) return { kind: "key", key };
  throw new MillraceError("authentication_required", "The session has ended.", { remedy: "Sign in again." });
}

/** A page that stays open asks by itself, for as long as anything changes: only what somebody does is a use of a session. */
function isOfPerson({ headers }: Request): boolean {
  return headers[ACTIVITY_HEADER] !== undefined || headers["sec-fetch-user"] === "?1";
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

async function findCaller(value: string, { keys, runs }: AuthorizeParts): Promise<Caller | undefined> {
  if (value.startsWith(RUN_TOKEN_PREFIX)) {
    const run = await runs.findByToken(hashRunToken(value));
    return run && { kind: "run", run };
  }
  const key = await keys.recognise(value);
  return key && { kind: "key", key };
}

function noKey(): MillraceError {
  return new MillraceError("authentication_required", "The request carries no API key.", {
    remedy: "Send the header `Authorization: Bearer <API key>`.",
  });
}

export function wrongKey(): MillraceError {
  return new MillraceError("authentication_required", "The API key is unknown, expired or revoked.", {
    remedy: "Use another key; an admin makes one with `millrace keys create`.",
  });
}

/** @throws MillraceError `not_authorized` when the caller's role is not enough, or a run's token is no key for this */
export function requireRole(caller: Caller, needed: Role, open: { toRunToken: boolean }): void {
  if (caller.kind === "run") {
    if (open.toRunToken) return;
    throw new MillraceError("not_authorized", "The token of a run reaches that run and nothing else.");
  }
  if (roleAllows(caller.key.role, needed)) return;
  throw new MillraceError(
    "not_authorized",
    `This needs the role ${needed}; the key has the role ${caller.key.role}.`,
    {
      remedy: `Use a key with the role ${needed}.`,
    },
  );
}

/** Whether a key reaches what belongs to a factory; what belongs to none is reached by keys without a limit. */
export function reachesFactory(key: ApiKey, factoryUid: string | null): boolean {
  return key.factories === null || (factoryUid !== null && key.factories.includes(factoryUid));
}

/** Whether a key reaches what belongs to a factory or, belonging to none, to whoever has made it. */
export function reachesOwned(key: ApiKey, factoryUid: string | null, ownerUid: string | null): boolean {
  return reachesFactory(key, factoryUid) || (factoryUid === null && ownerUid === key.principal.uid);
}

/** Whether the caller may see a run: one of its factories', its own, or the run that its token is for. */
export function seesRun(caller: Caller, run: Run): boolean {
  if (caller.kind === "run") return caller.run.id === run.id;
  return reachesOwned(caller.key, run.factoryUid, run.creator.uid);
}
