import type { Action, DefinitionChange, Plan } from "../definitions/changes/plan.ts";
import type { PlanWarning } from "../definitions/changes/plan-warning.ts";
import { hasErrors, type Problem, sortProblems } from "../definitions/problem.ts";
import type { Traffic } from "./traffic.ts";

/** A plan as people and programs are told of it. This is also its shape in the API and in `plan --format json`. */
export interface PlanReport {
  /** The name that the factory has, or would have. */
  factory: string;
  /** The commit, or the hash of a folder's content; nothing for files that were sent. */
  revision: string | null;
  /** Whether the definition could be applied: no problem is an error, and no warning is blocking. */
  applicable: boolean;
  summary: Record<Action, number>;
  /** By kind and name; none when the definition is not valid. */
  changes: PlannedChange[];
  warnings: PlanWarning[];
  problems: Problem[];
  /** What the deliveries of the last days would have started; nothing when nobody looked, or nothing can be compared. */
  traffic: Traffic | null;
}

export type PlannedChange = Pick<
  DefinitionChange,
  "action" | "kind" | "name" | "path" | "fields" | "values"
> & {
  uid: string | null;
};

/** @param plan nothing when the definition is not valid */
export function reportPlan({
  factory,
  revision,
  plan,
  problems,
}: {
  factory: string;
  revision: string | null;
  plan: Plan | undefined;
  problems: readonly Problem[];
}): PlanReport {
  const { changes = [], warnings = [] } = plan ?? {};
  const count = (action: Action) => changes.filter((change) => change.action === action).length;
  return {
    factory,
    revision,
    applicable: plan !== undefined && !hasErrors(problems) && !warnings.some(({ blocking }) => blocking),
    summary: {
      create: count("create"),
      update: count("update"),
      delete: count("delete"),
      unchanged: count("unchanged"),
    },
    changes: changes.map(({ action, kind, name, path, uid, fields, values }) => {
      return { action, kind, name, path, uid: uid ?? null, fields, values };
    }),
    warnings: [...warnings].sort((a, b) => Number(b.blocking) - Number(a.blocking)),
    problems: sortProblems(problems),
    traffic: null,
  };
}
