import { MillraceError } from "../error.ts";
import { isUuid } from "../id.ts";
import type { Run, RunStore } from "../runs/run.ts";
import { seesRun } from "./authorize.ts";
import type { ApiRequest } from "./endpoint.ts";

/**
 * The run that the path names.
 * @throws MillraceError `invalid_request` for what is no run id, `resource_not_found` for what the caller cannot see
 */
export async function findRun(
  { path, caller }: Pick<ApiRequest, "path" | "caller">,
  { runs }: { runs: Pick<RunStore, "find"> },
): Promise<Run> {
  const id = (path.runId ?? "").toLowerCase();
  if (!isUuid(id)) {
    throw new MillraceError("invalid_request", `"${path.runId}" is not the id of a run: expected a UUID.`, {
      extra: { field: "runId" },
    });
  }
  const run = await runs.find(id);
  if (run && seesRun(caller, run)) return run;
  throw noSuchRun(id);
}

export function noSuchRun(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no run ${id}.`, {
    remedy: "`millrace runs list` shows the runs that the key reaches.",
  });
}
