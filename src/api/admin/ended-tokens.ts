import type { Request, Response } from "express";
import { newUuid } from "../../id.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type AuthorizeDeps, authenticateCaller, type Caller, endedRunOf } from "../http/authorize.ts";
import { type AuditedDeps, refusalOf, subjectOf } from "./audited.ts";

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
