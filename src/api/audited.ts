import type { Request, Response } from "express";
import { ERROR_CODES, MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { ClientAddress } from "../ingress/client-address.ts";
import type { AuditRecord, AuditStore } from "../principals/audit.ts";
import type { Caller } from "./authorize.ts";
import type { PlacedOperation } from "./contract/document.ts";
import type { ApiRequest, Endpoint, Reply } from "./endpoint.ts";

export interface AuditedParts {
  audit: Pick<AuditStore, "record" | "correct">;
  /** Who is written down as the sender of a request. */
  senderOf: ClientAddress;
  now: () => Date;
}

/** A call of the API by somebody who is known. */
export interface Call {
  caller: Caller;
  request: Request;
  response: Response;
  /** Checks what is asked, and whether the caller may. @throws MillraceError */
  admit(): Promise<ApiRequest>;
}

/**
 * Makes the endpoint of an operation one that leaves a record in the audit log, unless it only reads.
 *
 * The record goes to the store ahead of whatever the endpoint writes there, mostly into the same transaction, with the
 * status that the call has when it succeeds; when it does not, the record is corrected before the answer goes out. So a
 * change that took effect has its record, also after a crash. A crash between the record and its correction leaves one
 * that speaks of a change which was not made. When the record cannot be written, its failure is the answer, whatever has
 * become of the change.
 */
export function audited(placed: PlacedOperation, endpoint: Endpoint, parts: AuditedParts) {
  if (placed.method === "get" || endpoint.onlyReads)
    return async ({ admit }: Call) => endpoint.handle(await admit());
  const expected = successOf(placed);

  return async (call: Call): Promise<Reply> => {
    const asCalled = { ...recordOf(placed, call, parts), status: expected };
    const admitted = await admitOrRecord(call, asCalled, parts);
    const record = endpoint.subject ? { ...asCalled, subject: cut(endpoint.subject(admitted)) } : asCalled;
    const [written, handled] = await Promise.allSettled([
      parts.audit.record(record),
      (async () => endpoint.handle(admitted))(),
    ]);
    if (written.status === "rejected") throw written.reason;
    if (handled.status === "rejected") {
      await parts.audit.correct({ id: record.id, ...refusalOf(handled.reason, call) });
      throw handled.reason;
    }
    const status = statusOf(handled.value, call);
    if (status !== expected) await parts.audit.correct({ id: record.id, status, traceId: null });
    return handled.value;
  };
}

/** A call that is refused for its form or for its caller's role changes nothing, and is recorded as what it is. */
async function admitOrRecord(call: Call, record: AuditRecord, { audit }: AuditedParts): Promise<ApiRequest> {
  try {
    return await call.admit();
  } catch (error) {
    await audit.record({ ...record, ...refusalOf(error, call) });
    throw error;
  }
}

/** Whoever has a key can call what is not there, by any name. */
const LONGEST_SUBJECT = 500;
const cut = (subject: string) => subject.slice(0, LONGEST_SUBJECT);

function recordOf(
  { operation }: PlacedOperation,
  { caller, request }: Call,
  { senderOf, now }: AuditedParts,
): Omit<AuditRecord, "status"> {
  return {
    id: newUuid(),
    at: now().toISOString(),
    principal: caller.kind === "key" ? caller.key.principal : caller.run.creator,
    keyId: caller.kind === "key" ? caller.key.id : null,
    runId: caller.kind === "run" ? caller.run.id : null,
    action: operation.operationId,
    subject: cut(Object.values(request.params).flat().join("/")),
    traceId: null,
    address: senderOf(request),
  };
}

function successOf({ operation }: PlacedOperation): number {
  return Number(Object.keys(operation.responses).find((status) => status.startsWith("2")));
}

function statusOf(reply: Reply, { response }: Call): number {
  if (!reply) return response.statusCode;
  return "status" in reply && reply.status !== undefined ? reply.status : 200;
}

/** The answer that is about to be given names the same trace id. */
function refusalOf(error: unknown, { response }: Call): { status: number; traceId: string } {
  const traceId = newUuid();
  response.locals.traceId = traceId;
  const code = error instanceof MillraceError ? error.code : "internal_error";
  return { status: ERROR_CODES[code].status, traceId };
}
