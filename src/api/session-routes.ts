import type { Request, Response, Router } from "express";
import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { ClientAddress } from "../ingress/client-address.ts";
import type { AuditStore } from "../principals/audit.ts";
import type { Keys } from "../principals/keys.ts";
import type { ApiKey } from "../principals/principal.ts";
import type { Sessions } from "../principals/session.ts";
import { wrongKey } from "./authorize.ts";
import type { FailedKeys } from "./failed-keys.ts";
import { refuseOtherPages } from "./own-page.ts";
import type { ReadJsonBody } from "./read-json-body.ts";
import { sessionCookie, sessionIdOf } from "./session-cookie.ts";

export interface SessionRouteParts {
  keys: Pick<Keys, "recognise">;
  sessions: Sessions;
  failedKeys: FailedKeys;
  audit: Pick<AuditStore, "record">;
  senderOf: ClientAddress;
  publicUrl: () => string;
  now: () => Date;
  readBody: ReadJsonBody;
}

/** More than any key has. */
const LARGEST_BODY_BYTES = 4 * 1024;

/** `POST /session {api_key}` signs a browser in, `DELETE /session` signs it out. */
export function sessionRoutes(router: Router, parts: SessionRouteParts): void {
  router
    .route("/session")
    .post((request, response) => signIn(request, response, parts))
    .delete((request, response) => signOut(request, response, parts))
    .all((request, response) => {
      response.setHeader("allow", "POST, DELETE");
      throw new MillraceError(
        "method_not_allowed",
        `${request.method} is not allowed here; POST and DELETE are.`,
        { remedy: "`GET /api/v1/whoami` tells who is signed in." },
      );
    });
}

async function signIn(request: Request, response: Response, parts: SessionRouteParts): Promise<void> {
  const { keys, sessions, failedKeys, publicUrl } = parts;
  refuseOtherPages(request, publicUrl());
  const value = keyIn(await parts.readBody(request, LARGEST_BODY_BYTES));
  const key = await keys.recognise(value);
  if (!key) throw failedKeys.refusal(request, wrongKey());
  // A browser has one session here: the one before ends with it.
  await endSession(request, parts);
  const { id, session } = await sessions.begin(key);
  await record("signIn", 201, { key, request }, parts);
  const { name, options } = sessionCookie(publicUrl());
  response
    .cookie(name, id, { ...options, expires: new Date(session.expiresAt) })
    .setHeader("cache-control", "no-store")
    .status(201)
    .json({ expires_at: session.expiresAt });
}

async function signOut(request: Request, response: Response, parts: SessionRouteParts): Promise<void> {
  refuseOtherPages(request, parts.publicUrl());
  await endSession(request, parts);
  const { name, options } = sessionCookie(parts.publicUrl());
  response.clearCookie(name, options).status(204).end();
}

async function endSession(request: Request, parts: SessionRouteParts): Promise<void> {
  const id = sessionIdOf(request, parts.publicUrl());
  if (id === undefined) return;
  const key = await parts.sessions.look(id);
  await parts.sessions.end(id);
  if (key) await record("signOut", 204, { key, request }, parts);
}

function keyIn(body: unknown): string {
  const value = typeof body === "object" && body !== null && "api_key" in body ? body.api_key : undefined;
  if (typeof value === "string" && value !== "") return value.trim();
  throw new MillraceError("invalid_request", "The body has to be a JSON object with the text api_key.", {
    remedy: 'Send {"api_key": "mr_…"}.',
    extra: { field: "api_key" },
  });
}

/** Who came and went stands in the audit log, beside what they did meanwhile. */
async function record(
  action: string,
  status: number,
  { key, request }: { key: ApiKey; request: Request },
  { audit, senderOf, now }: SessionRouteParts,
): Promise<void> {
  await audit.record({
    id: newUuid(),
    at: now().toISOString(),
    principal: key.principal,
    keyId: key.id,
    runId: null,
    action,
    subject: "",
    status,
    traceId: null,
    address: senderOf(request),
  });
}
