import type { Definition } from "../definitions/definition.ts";
import type { Plan } from "../definitions/plan.ts";
import { type PlanReport, reportPlan } from "../definitions/plan-report.ts";
import type { Tree } from "../git/revision.ts";
import { findTaken } from "./factory-name.ts";
import type { ReconcileParts, Subject } from "./subject.ts";
import { weigh } from "./weigh.ts";

/** A plan with what it was made of, for those who look further. */
export interface PlannedTree {
  report: PlanReport;
  /** Nothing when the tree is not valid. */
  definition: Definition | undefined;
  plan: Plan | undefined;
  /** Whether it is a pull request that leaves the definition as the branch has it. */
  isUntouched: boolean;
  /** The uid of another factory that the source would go on with: the plan says what that one has. */
  former: string | undefined;
}

/** What bringing a tree into force would do to a factory. It reads, and writes nothing. */
export async function planTree(tree: Tree, subject: Subject, parts: ReconcileParts): Promise<PlannedTree> {
  const { factory } = subject;
  const revision = tree.revision.id;
  const isInForce = revision === factory.sync.appliedRevision;
  const { loaded, target, candidate, guardWarnings } = await weigh(tree, subject, isInForce, parts);
  const isUntouched = tree.isUntouched ?? false;
  if (!candidate) {
    const report = reportPlan({
      factory: factory.name,
      revision,
      plan: undefined,
      problems: loaded.problems,
    });
    return { report, definition: undefined, plan: undefined, isUntouched, former: undefined };
  }
  const { definition, unplanned } = candidate;
  const plan = { ...candidate.plan, warnings: [...candidate.plan.warnings, ...guardWarnings] };
  const taken = await findTaken(definition, loaded, target.factory, parts);
  const problems = [...loaded.problems, ...unplanned, ...taken];
  const report = reportPlan({ factory: definition.factory.name, revision, plan, problems });
  const former = target.factory.uid === factory.uid ? undefined : target.factory.uid;
  return { report, definition, plan, isUntouched, former };
}
