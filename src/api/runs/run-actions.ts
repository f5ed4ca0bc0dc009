import type { Endpoints } from "../http/endpoint.ts";
import { cancelRun } from "./cancel-run.ts";
import { findMessaged, followUp } from "./conversation/follow-up.ts";
import { dismissRun } from "./dismiss-run.ts";
import type { RunDeps } from "./run-deps.ts";
import { runAgainEndpoints } from "./start/run-again.ts";

/** What can be done to a run that exists. */
export function runActionEndpoints(deps: RunDeps) {
  return {
    followUp: {
      handle: async (request) => ({ json: await followUp(await findMessaged(request, deps), request, deps) }),
    },
    cancelRun: { handle: (request) => cancelRun(request, deps) },
    dismissRun: { handle: (request) => dismissRun(request, deps) },
    ...runAgainEndpoints(deps),
  } satisfies Endpoints;
}
