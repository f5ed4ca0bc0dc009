import { MillraceError } from "../../errors/error.ts";
import { isUuid } from "../../id.ts";
import type { RunState } from "../../runs/rules/state.ts";
import type { RunFilter } from "../../runs/run-query.ts";
import { instantIn } from "../../time/instant.ts";
import type { QueryOf } from "../http/endpoint.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { NO_ENVIRONMENT, type TASK_STATUSES } from "./run-models.ts";

type ListQuery = Omit<QueryOf<"listRuns">, "limit" | "cursor">;

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
    throw new MillraceError(
      "invalid_request",
      "skill and skill_spec have the same meaning but different values here.",
      {
        remedy: "Specify only one of them.",
        extra: { field: "skill_spec" },
      },
    );
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
    rerunOf: query.rerun_of?.toLowerCase(),
    artifactType: query.artifact_type,
    createdAfter: instantIn(query.created_after),
    createdBefore: instantIn(query.created_before),
    updatedAfter: instantIn(query.updated_after),
    text: id === undefined ? query.q : undefined,
    id,
    idStart: id === undefined && query.q !== undefined ? idStartIn(query.q) : undefined,
  });
}

/** States and statuses of tasks are two filters: both have to fit. */
function statesOf({ state, task_status: statuses }: ListQuery): RunState[] | undefined {
  if (statuses === undefined) return state;
  const meant = new Set(statuses.flatMap((status) => STATES_OF_TASKS[status]));
  return state === undefined ? [...meant] : state.filter((each) => meant.has(each));
}

/** A run's id, alone or at the end of its link. */
function runIdIn(text: string): string | undefined {
  const last = text.trim().toLowerCase().split("/").at(-1) ?? "";
  return isUuid(last) ? last : undefined;
}

/** The first characters of a run's id, with or without its hyphens. Fewer than eight may be a word. */
function idStartIn(text: string): string | undefined {
  const digits = text.trim().toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]{8,31}$/.test(digits)) return undefined;
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20)];
  return [...parts, digits.slice(20)].filter((part) => part !== "").join("-");
}
