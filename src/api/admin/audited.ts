import type { Request, Response } from "express";
import type { ClientAddress } from "../../edge/client-address.ts";
import { ERROR_CODES, MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import { storable } from "../../platform/storable-text.ts";
import type { AuditRecord, AuditStore } from "../../principals/audit.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Caller } from "../../runs/caller.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type AuthorizeDeps, authenticateCaller, endedRunOf } from "../http/authorize.ts";
import type { ApiRequest, Endpoint, OperationId, Reply } from "../http/endpoint.ts";
import type { PlacedOperation } from "../http/operation.ts";
import type { RefusalLog, WriteLimits } from "../http/write-limits.ts";

export interface AuditedDeps {
  audit: Pick<AuditStore, "record" | "correct">;
  refusals: RefusalLog;
  writeLimits: Pick<WriteLimits, "refuseCall">;
  factories: Pick<Factories, "find">;
  /** Who is written down as the sender of a request. */
  senderOf: ClientAddress;
  now: () => Date;
}

/** A call of the API by somebody who is known. */
export interface Call<Id extends OperationId = OperationId> {
  caller: Caller;
  request: Request;
  response: Response;
  /** Checks what is asked, and whether the caller may. @throws MillraceError */
  admit(): Promise<ApiRequest<Id>>;
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
export function audited<Id extends OperationId>(
  placed: PlacedOperation<Id>,
  endpoint: Endpoint<Id>,
  deps: AuditedDeps,
) {
  if (placed.method === "get" || endpoint.onlyReads)
    return async ({ admit }: Call<Id>) => endpoint.handle(await admit());
  const expected = successOf(placed);

  return async (call: Call<Id>): Promise<Reply<Id>> => {
    const asCalled = { ...recordOf(placed, call, deps), status: expected };
    const overLimit = deps.writeLimits.refuseCall(call.caller);
    if (overLimit) {
      const refused = { ...asCalled, ...refusalOf(overLimit, call) };
      await deps.refusals.keep({ record: refused, isWritten: false, isOverLimit: true });
      throw overLimit;
    }
    const admitted = await admitOrRecord(call, asCalled, deps);
    const record = {
      ...asCalled,
      ...(endpoint.subject ? { subject: cut(endpoint.subject(admitted)) } : {}),
      factoryUid: asCalled.factoryUid ?? factoryIn(admitted.body, deps),
    };
    const [written, handled] = await Promise.allSettled([
      deps.audit.record(record),
      (async () => endpoint.handle(admitted))(),
    ]);
    if (written.status === "rejected") throw written.reason;
    if (handled.status === "rejected") {
      const refused = { ...record, ...refusalOf(handled.reason, call) };
      await deps.refusals.keep({ record: refused, isWritten: true, isOverLimit: false });
      throw handled.reason;
    }
    const status = statusOf(handled.value, call);
    if (status !== expected) await deps.audit.correct({ id: record.id, status, traceId: null });
    return handled.value;
  };
}

/** A call that is refused for its form or for its caller's role changes nothing, and is recorded as what it is. */
async function admitOrRecord<Id extends OperationId>(
  call: Call<Id>,
  record: AuditRecord,
  { refusals }: AuditedDeps,
): Promise<ApiRequest<Id>> {
  try {
    return await call.admit();
  } catch (error) {
    const refused = { ...record, ...refusalOf(error, call) };
    await refusals.keep({ record: refused, isWritten: false, isOverLimit: false });
    throw error;
  }
}

/** Whoever has a key can call what is not there, by any name. */
const MAX_SUBJECT = 500;
const cut = (subject: string) => storable(subject.slice(0, MAX_SUBJECT));

/** The path parameters of a call. */
const subjectOf = ({ params }: Pick<Request, "params">) => cut(Object.values(params).flat().join("/"));

function recordOf(
  { operation, path }: PlacedOperation,
  { caller, request }: Pick<Call, "caller" | "request">,
  { senderOf, now, factories }: AuditedDeps,
): Omit<AuditRecord, "status"> {
  return {
    id: newUuid(),
    at: now().toISOString(),
    principal: caller.kind === "key" ? caller.key.principal : caller.run.executor,
    keyId: caller.kind === "key" ? caller.key.id : null,
    runId: caller.kind === "run" ? caller.run.id : null,
    factoryUid:
      caller.kind === "run" ? caller.run.factoryUid : factoryIn(paramsOf(path, request), { factories }),
    action: operation.operationId,
    subject: subjectOf(request),
    traceId: null,
    address: senderOf(request),
  };
}

/** The public API calls the factory in its paths by another name. */
function paramsOf(path: string, { params }: Request) {
  return path.startsWith("/factory/{uid}") ? { factory: params.uid } : params;
}

/** The uid of the factory that a path or a body names; nothing for one that is not there. */
function factoryIn(given: unknown, { factories }: Pick<AuditedDeps, "factories">): string | null {
  const named = (given as { factory?: unknown } | undefined)?.factory;
  return typeof named === "string" ? (factories.find(named)?.record.uid ?? null) : null;
}

function successOf({ operation }: PlacedOperation): number {
  return Number(Object.keys(operation.responses).find((status) => status.startsWith("2")));
}

function statusOf(reply: Reply, { response }: Pick<Call, "response">): number {
  if (!reply) return response.statusCode;
  return "status" in reply && reply.status !== undefined ? reply.status : 200;
}

/** The answer that is about to be given names the same trace id. */
function refusalOf(
  error: unknown,
  { response }: Pick<Call, "response">,
): { status: number; traceId: string } {
  const traceId = newUuid();
  response.locals.traceId = traceId;
  const code = error instanceof MillraceError ? error.code : "internal_error";
  return { status: ERROR_CODES[code].status, traceId };
}

export interface EndedTokenDeps extends AuthorizeDeps, Pick<AuditedDeps, "refusals" | "senderOf" | "now"> {
  runs: Pick<RunStore, "find" | "findByToken" | "findByEndedToken">;
}

/**
 * Finds out who calls, as {@link authenticateCaller} does. A run's token that is used after its turn is recorded with that
 * run, reading or writing: nobody but its agent has had it.
 * @param action what is asked for, as the audit log names it
 */
export async function authenticateRecorded(
  request: Request,
  response: Response,
  action: string,
  deps: EndedTokenDeps,
): Promise<Caller> {
  try {
    return await authenticateCaller(request, deps);
  } catch (error) {
    const run = await endedRunOf(request, deps.runs);
    if (run) {
      const record = {
        id: newUuid(),
        at: deps.now().toISOString(),
        principal: run.executor,
        keyId: null,
        runId: run.id,
        factoryUid: run.factoryUid,
        action,
        subject: subjectOf(request),
        address: deps.senderOf(request),
        ...refusalOf(error, { response }),
      };
      await deps.refusals.keep({ record, isWritten: false, isOverLimit: false });
    }
    throw error;
  }
}
