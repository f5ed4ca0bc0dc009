import { counted } from "../counted.ts";
import type { Loaded } from "../definitions/load.ts";
import type { Problem } from "../definitions/problem.ts";
import { TRAFFIC_DAYS } from "../definitions/traffic.ts";
import type { Finding } from "./check-server.ts";
import type { Candidate } from "./prepare.ts";
import type { ReconcileParts, Subject } from "./subject.ts";

/** An automation that this version starts for fewer deliveries than the version that has applied it. */
export interface NarrowedAutomation {
  name: string;
  /** How many deliveries of the last days started it and would not now. */
  dropped: number;
  /** How many started it. */
  started: number;
}

/** What changes with an upgrade alone: said in plans, and once when this version first applies the definition. */
export async function warnOfNarrowing(
  { definition }: Candidate,
  { locate }: Pick<Loaded, "locate">,
  { factory, served }: Subject,
  { findNarrowed }: Pick<ReconcileParts, "findNarrowed">,
): Promise<Finding[]> {
  const narrowed = served ? await findNarrowed(factory.uid, served, definition.factory.repositories) : [];
  return narrowed.flatMap(({ name, dropped, started }): Finding[] => {
    const automation = definition.automations.find((each) => each.name === name);
    if (!automation) return [];
    const message =
      `the automation "${name}" starts for fewer deliveries since the upgrade: ${dropped} of the ` +
      `${counted(started, "delivery", "deliveries")} that started it in the last ${TRAFFIC_DAYS} days would not. ` +
      "A GitHub trigger without repos counts the repositories of factory.yaml only, a branch name matches that branch " +
      "only, and authors of workflow_run_completed are those of the linked pull request; name what is meant in the filter";
    const { path } = automation;
    const problem: Problem = {
      code: "FF_TRIGGER_NARROWED",
      message,
      path,
      ...locate(path, ["triggers"]),
      severity: "warning",
    };
    return [{ problem, warning: "trigger_narrowed" }];
  });
}
