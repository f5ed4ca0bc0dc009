import { MillraceError } from "../error.ts";
import { isUuid } from "../id.ts";
import { parseInstant } from "../instant.ts";
import type { RunFilter } from "../runs/run-query.ts";
import type { RunState } from "../runs/state.ts";
import { NO_ENVIRONMENT, type TASK_STATUSES } from "./contract/run-filters.ts";

/** The query of a list of runs, as the description of the API has checked it. */
// biome-ignore lint/suspicious/noExplicitAny: the description of the API has checked what is in it
type ListQuery = Record<string, any>;

const STATES_OF_TASKS: Readonly<Record<(typeof TASK_STATUSES)[number], readonly RunState[]>> = {
  running: ["QUEUED", "PENDING", "CLAIMED", "INPROGRESS"],
  failed: ["FAILED", "ERROR"],
  blocked: ["BLOCKED"],
  cancelled: ["CANCELLED"],
  complete: ["SUCCEEDED"],
};

/** What a query asks of runs; nothing when no run can be like that. @throws MillraceError `invalid_request` */
export function readRunFilter(query: ListQuery): RunFilter | undefined {
  const states = statesOf(query);
  if (states?.length === 0 || query.execution_location === "LOCAL") return undefined;
  if (query.skill !== undefined && query.skill_spec !== undefined && query.skill !== query.skill_spec) {
    throw new MillraceError("invalid_request", "skill and skill_spec mean the same and differ here.", {
      remedy: "Give one of them.",
      extra: { field: "skill_spec" },
    });
  }
  const { environment_id: environment } = query;
  const id = query.q === undefined ? undefined : runIdIn(query.q);
  return withoutUndefined({
    states,
    sources: query.source,
    name: query.name,
    modelId: query.model_id,
    creator: query.creator,
    executor: query.executor,
    environmentId: environment === NO_ENVIRONMENT ? null : environment,
    scheduleId: query.schedule_id,
    automationId: query.automation_id,
    factoryUids: query.factory_uid,
    inFactory: query.factory_only ? true : undefined,
    skill: query.skill ?? query.skill_spec,
    metadata: query.metadata,
    ancestorId: query.ancestor_run_id,
    artifactType: query.artifact_type,
    createdAfter: query.created_after && parseInstant(query.created_after),
    createdBefore: query.created_before && parseInstant(query.created_before),
    updatedAfter: query.updated_after && parseInstant(query.updated_after),
    text: id === undefined ? query.q : undefined,
    id,
  });
}

/** States and statuses of tasks are two filters: both have to fit. */
function statesOf({ state, task_status: statuses }: ListQuery): RunState[] | undefined {
  if (statuses === undefined) return state;
  const meant = new Set<RunState>(
    statuses.flatMap((status: keyof typeof STATES_OF_TASKS) => STATES_OF_TASKS[status]),
  );
  return state === undefined ? [...meant] : state.filter((each: RunState) => meant.has(each));
}

/** A run's id, alone or at the end of its link. */
function runIdIn(text: string): string | undefined {
  const last = text.trim().toLowerCase().split("/").at(-1) ?? "";
  return isUuid(last) ? last : undefined;
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
