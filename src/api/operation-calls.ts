import type { Request, Response } from "express";
import type { Caller } from "../runs/caller.ts";
import { type AuditedDeps, audited } from "./admin/audited.ts";
import { type AuthorizeDeps, isStillAdmitted, refuseEndedTurn, requireRole } from "./http/authorize.ts";
import type { ApiRequest, Endpoint, OperationId, Reply } from "./http/endpoint.ts";
import type { OpenCalls } from "./http/open-calls.ts";
import type { PlacedOperation } from "./http/operation.ts";
import { requestCheck } from "./http/validate-request.ts";

export type OperationDeps = AuthorizeDeps & AuditedDeps & { openCalls: OpenCalls };

/** A call of an operation by somebody who is known. Its parts are not checked yet. */
export interface OperationCall {
  caller: Caller;
  request: Request;
  response: Response;
  /** @param largest how many bytes it may have, where that is less than any body may have */
  readBody(largest: number | undefined): Promise<unknown>;
}

/** Carries out one operation for whoever calls it. */
export type CarryOut<Id extends OperationId = OperationId> = (call: OperationCall) => Promise<Reply<Id>>;

/**
 * Puts what every call passes in front of an endpoint: whether its caller may, whether its form is right, and the record in
 * the audit log. Requests over HTTP and calls of tools come through here.
 */
export function operationCall<Id extends OperationId>(
  placed: PlacedOperation<Id>,
  endpoint: Endpoint<Id>,
  deps: OperationDeps,
): CarryOut<Id> {
  const { operation } = placed;
  const check = requestCheck(operation);
  const carryOut = audited(placed, endpoint, deps);
  return ({ caller, request, response, readBody }) => {
    const admit = async (): Promise<ApiRequest<Id>> => {
      deps.openCalls.open(caller, response);
      requireRole(caller, operation["x-required-role"], { toRunToken: operation["x-run-token"] ?? false });
      const path = check.path(request.params);
      const query = check.query(request.query);
      // Nobody who may not makes the server hold a body.
      const body = check.body(await readBody(endpoint.largestBody));
      await refuseEndedTurn(caller, request, deps);
      return {
        operation: operation.operationId,
        caller,
        path,
        query,
        body,
        http: { request, response, isAdmitted: () => isStillAdmitted(caller, request, deps) },
      };
    };
    return carryOut({ caller, request, response, admit });
  };
}

/** Every operation that needs a key or a run's token, by its id. */
export type OperationCalls = Map<OperationId, { placed: PlacedOperation; carryOut: CarryOut }>;
