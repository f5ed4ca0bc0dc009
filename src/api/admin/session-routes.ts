import type { Request, Response, Router } from "express";
import type { ClientAddress } from "../../edge/client-address.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import type { AuditStore } from "../../principals/audit.ts";
import type { Keys } from "../../principals/keys.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { Sessions } from "../../principals/session.ts";
import { wrongKey } from "../http/authorize.ts";
import {
  refuseOtherOrigins,
  requireSameOrigin,
  sessionCookie,
  sessionIdOf,
} from "../http/browser-session.ts";
import type { AuthLimit } from "../http/caller-limits.ts";
import type { ReadJsonBody } from "../http/read-json-body.ts";
import type { WriteLimits } from "../http/write-limits.ts";

export interface SessionRouteDeps {
  keys: Pick<Keys, "recognise">;
  sessions: Sessions;
  authLimit: AuthLimit;
  writeLimits: Pick<WriteLimits, "admitSignIn">;
  audit: Pick<AuditStore, "record">;
  senderOf: ClientAddress;
  publicUrl: () => string;
  now: () => Date;
  readBody: ReadJsonBody;
}

/** More than any key has. */
const MAX_BODY_BYTES = 4 * 1024;

/** `POST /session {api_key}` signs a browser in, `DELETE /session` signs it out. */
export function sessionRoutes(router: Router, deps: SessionRouteDeps): void {
  router
    .route("/session")
    .post((request, response) => signIn(request, response, deps))
    .delete((request, response) => signOut(request, response, deps))
    .all((request, response) => {
      response.setHeader("allow", "POST, DELETE");
      throw new MillraceError(
        "method_not_allowed",
        `${request.method} is not allowed here; use POST or DELETE.`,
        { remedy: "`GET /api/v1/whoami` returns who is signed in." },
      );
    });
}

async function signIn(request: Request, response: Response, deps: SessionRouteDeps): Promise<void> {
  const { keys, sessions, authLimit, writeLimits, publicUrl } = deps;
  refuseOtherOrigins(request, publicUrl());
  const value = keyIn(await deps.readBody(request, MAX_BODY_BYTES));
  const key = await keys.recognise(value);
  if (!key) throw authLimit.refusal(request, wrongKey());
  writeLimits.admitSignIn(key);
  // A browser has one session here: the one before ends with it.
  await endSession(request, deps);
  const { id, session } = await sessions.begin(key);
  await record("signIn", 201, { key, request }, deps);
  const { name, options } = sessionCookie(publicUrl());
  response
    .cookie(name, id, { ...options, expires: new Date(session.expiresAt) })
    .setHeader("cache-control", "no-store")
    .status(201)
    .json({ expires_at: session.expiresAt });
}

async function signOut(request: Request, response: Response, deps: SessionRouteDeps): Promise<void> {
  // A cookie speaks for requests of this server's own pages alone; without one, nothing is ended.
  if (sessionIdOf(request, deps.publicUrl()) !== undefined) requireSameOrigin(request, deps.publicUrl());
  else refuseOtherOrigins(request, deps.publicUrl());
  await endSession(request, deps);
  const { name, options } = sessionCookie(deps.publicUrl());
  response.clearCookie(name, options).status(204).end();
}

async function endSession(request: Request, deps: SessionRouteDeps): Promise<void> {
  const id = sessionIdOf(request, deps.publicUrl());
  if (id === undefined) return;
  const key = await deps.sessions.look(id);
  await deps.sessions.end(id);
  if (key) await record("signOut", 204, { key, request }, deps);
}

function keyIn(body: unknown): string {
  const value = typeof body === "object" && body !== null && "api_key" in body ? body.api_key : undefined;
  if (typeof value === "string" && value !== "") return value.trim();
  throw new MillraceError("invalid_request", "The body must be a JSON object with the string api_key.", {
    remedy: 'Send {"api_key": "mr_…"}.',
    extra: { field: "api_key" },
  });
}

/** Who came and went stands in the audit log, beside what they did meanwhile. */
async function record(
  action: string,
  status: number,
  { key, request }: { key: ApiKey; request: Request },
  { audit, senderOf, now }: SessionRouteDeps,
): Promise<void> {
  await audit.record({
    id: newUuid(),
    at: now().toISOString(),
    principal: key.principal,
    keyId: key.id,
    runId: null,
    factoryUid: null,
    action,
    subject: "",
    status,
    traceId: null,
    address: senderOf(request),
  });
}
