import { pluralize } from "../../pluralize.ts";
import { TRAFFIC_DAYS } from "../changes/prune-guard.ts";
import type { ServerRule } from "./server-rule.ts";

/** What changes with an upgrade alone: said in plans, and once when this version first applies the definition. */
export const triggersStartAsBefore: ServerRule = ({ definition, state, problem }) =>
  state.narrowed.flatMap(({ name, dropped, started }) => {
    const automation = definition.automations.find((each) => each.name === name);
    if (!automation) return [];
    const message =
      `since the upgrade, the automation "${name}" fires for fewer deliveries: ${dropped} of the ` +
      `${pluralize(started, "delivery", "deliveries")} that started it in the last ${TRAFFIC_DAYS} days would no longer start it. ` +
      "A GitHub trigger without repos matches only the repositories listed in factory.yaml, a branch name matches only that " +
      "branch, and for workflow_run_completed, authors matches the authors of the linked pull request; make the filter explicit";
    return [problem(automation.path, ["triggers"], "FF_TRIGGER_NARROWED", message, "warning")];
  });
