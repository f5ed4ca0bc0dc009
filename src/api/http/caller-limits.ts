import type { AuditStore } from "../../principals/audit.ts";
import { type AnonymousLimit, createAnonymousLimit } from "./limits/anonymous-limit.ts";
import { type AuthLimit, type AuthLimitSettings, createAuthLimit } from "./limits/auth-limit.ts";
import { createOpenCalls, type OpenCalls } from "./open-calls.ts";
import { createRefusalLog, createWriteLimits, type RefusalLog, type WriteLimits } from "./write-limits.ts";

/** What bounds the callers of the API: strangers, wrong keys, the tokens of runs, sign-ins, open and refused calls. */
export interface CallerLimits {
  authLimit: AuthLimit;
  anonymousLimit: AnonymousLimit;
  writeLimits: WriteLimits;
  openCalls: OpenCalls;
  refusals: RefusalLog;
}

/**
 * The limits last as long as the process.
 * @param connections how many may be open
 */
export function createCallerLimits(
  settings: AuthLimitSettings,
  audit: Pick<AuditStore, "record" | "correct" | "repeat">,
  connections: number,
): CallerLimits {
  return {
    authLimit: createAuthLimit(settings),
    anonymousLimit: createAnonymousLimit(settings),
    writeLimits: createWriteLimits(),
    openCalls: createOpenCalls({ connections }),
    refusals: createRefusalLog(audit),
  };
}
