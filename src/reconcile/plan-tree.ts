import type { Definition } from "../definitions/definition.ts";
import { loadDefinition } from "../definitions/load.ts";
import type { Plan } from "../definitions/plan.ts";
import { type PlanReport, reportPlan } from "../definitions/plan-report.ts";
import type { Problem } from "../definitions/problem.ts";
import type { Tree } from "../git/revision.ts";
import { aliasTaken, formerOf, nameOfSource, nameTaken } from "./factory-name.ts";
import { guardDeletions } from "./guard-deletions.ts";
import { prepare } from "./prepare.ts";
import type { ReconcileParts, Subject } from "./subject.ts";

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
  const loaded = await loadDefinition(tree, await nameOfSource(subject, parts));
  const { definition } = loaded;
  const revision = tree.revision.id;
  const isUntouched = tree.isUntouched ?? false;
  if (!definition) {
    const report = reportPlan({
      factory: factory.name,
      revision,
      plan: undefined,
      problems: loaded.problems,
    });
    return { report, definition, plan: undefined, isUntouched, former: undefined };
  }
  const { name } = definition.factory;
  const former = await formerOf(name, factory, parts);
  const target = former ? { ...subject, factory: former, served: undefined } : subject;
  const isInForce = revision === factory.sync.appliedRevision;
  const candidate = await prepare(definition, loaded, target, isInForce, parts);
  const { warnings } = await guardDeletions(candidate, tree, loaded, target, parts);
  const { unplanned } = candidate;
  const plan = { ...candidate.plan, warnings: [...candidate.plan.warnings, ...warnings] };
  const taken: Problem[] = (await isTaken(name, target, parts))
    ? [await nameTaken(definition, loaded, factory, parts)]
    : [];
  const { alias } = definition.factory;
  if (alias && (await parts.store.findByAlias(alias, target.factory.uid)))
    taken.push(aliasTaken(definition, loaded));
  const problems = [...loaded.problems, ...unplanned, ...taken];
  const report = reportPlan({ factory: name, revision, plan, problems });
  return { report, definition, plan, isUntouched, former: former?.uid };
}

async function isTaken(name: string, { factory }: Subject, { store }: ReconcileParts): Promise<boolean> {
  const named = await store.findByName(name);
  return named !== undefined && named.uid !== factory.uid;
}
