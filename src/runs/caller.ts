import { invalidField } from "../errors/error.ts";
import { isUuid } from "../id.ts";
import { type ApiKey, reachesFactory } from "../principals/principal.ts";
import { isDescendant } from "./rules/family.ts";
import type { Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";

/** Who calls: somebody with a key, by a session of a browser or without, or the agent of a run with that run's token. */
export type Caller = { kind: "key"; key: ApiKey; session?: string } | { kind: "run"; run: Run };

/** The factories whose runs a caller may see; nothing where it may see all. */
export function visibleTo(caller: Caller): { visibleTo?: readonly string[] } {
  if (caller.kind === "run")
    return caller.run.factoryUid === null ? {} : { visibleTo: [caller.run.factoryUid] };
  return caller.key.factories ? { visibleTo: caller.key.factories } : {};
}

/**
 * Whether the caller may see a run: one of its factories', or the run that its token is for and its descendants. That a principal has created a run of no
 * factory gives its limited keys no right to it: another key of the same name may have done so, for the whole server.
 */
export function seesRun(caller: Caller, run: Run): boolean {
  if (caller.kind === "run") return caller.run.id === run.id || isDescendant(run, caller.run);
  return reachesFactory(caller.key, run.factoryUid);
}

/** The run that a field of the request names. @throws MillraceError `invalid_request` that names the field */
export async function runInField(
  given: string,
  field: string,
  { caller }: { caller: Caller },
  { runs }: { runs: Pick<RunStore, "find"> },
): Promise<Run> {
  const id = given.toLowerCase();
  const run = isUuid(id) ? await runs.find(id) : undefined;
  if (run && seesRun(caller, run)) return run;
  throw invalidField(field, `there is no run ${JSON.stringify(given)}`);
}
