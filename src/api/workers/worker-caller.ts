import type { Request } from "express";
import { MillraceError } from "../../errors/error.ts";
import type { Worker } from "../../workers/worker.ts";
import type { Workers } from "../../workers/workers.ts";
import type { AuthLimit } from "../http/caller-limits.ts";

export interface WorkerCallerDeps {
  registry: Workers;
  authLimit: AuthLimit;
}

/**
 * The worker that a request comes from.
 * @throws MillraceError `authentication_required` without the token of a worker, or `rate_limited` after too many of those
 */
export async function workerOf(request: Request, { registry, authLimit }: WorkerCallerDeps): Promise<Worker> {
  const worker = await registry.authenticate(request.headers.authorization);
  if (worker) return worker;
  throw authLimit.refusal(
    request,
    new MillraceError("authentication_required", "The request has no valid worker token.", {
      remedy:
        "Create a worker with `millrace workers create NAME`, and start `millrace worker` with its token.",
    }),
  );
}
