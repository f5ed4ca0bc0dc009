import type { Action, DefinitionChange, Plan } from "../definitions/changes/plan.ts";
import type { PlanWarning } from "../definitions/changes/plan-warning.ts";
import { hasErrors, type Problem, sortProblems } from "../definitions/problem.ts";

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

/** What the stored deliveries of the last days would have started, by the definition in force and by the planned one. */
export interface Traffic {
  /** The instant from which on deliveries were looked at. */
  since: string;
  /** The number of deliveries that were replayed. */
  deliveries: number;
  /** Whether these are all that there are since then; older ones are left out when there are too many. */
  complete: boolean;
  /** The automations that at least one of the deliveries would have started, before or after; those that change first. */
  automations: AutomationTraffic[];
}

export interface AutomationTraffic {
  name: string;
  /** How many runs by the definition in force. */
  before: number;
  /** How many by the planned one. */
  after: number;
  /** Deliveries that would start a run and do not now, the newest first; a few examples. */
  starts: string[];
  /** Deliveries that start a run now and would not. */
  stops: string[];
  /** Of one that has a key or a window by the planned definition: the deliveries behind its runs. */
  grouped?: { deliveries: number; continued: number };
  /** What its runs have cost; nothing where that is not known. */
  cost?: RunCost;
}

/** What a run of an automation costs, as far as its last ones tell. */
export interface RunCost {
  /** In US dollars. */
  median: number;
  /** Of how many runs. */
  runs: number;
}

/** Whether other deliveries start an automation than before, or as many make other runs. */
export function isChanged({ starts, stops, before, after }: AutomationTraffic): boolean {
  return starts.length + stops.length > 0 || before !== after;
}
