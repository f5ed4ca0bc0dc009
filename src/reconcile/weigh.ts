import type { Loaded } from "../definitions/load.ts";
import { resourcesAfter } from "../definitions/plan.ts";
import type { PlanWarning } from "../definitions/plan-warning.ts";
import { type Problem, sortProblems } from "../definitions/problem.ts";
import type { Tree } from "../git/revision.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { Application, FactoryRecord } from "./factory.ts";
import { formerOf, nameOfSource } from "./factory-name.ts";
import { guardDeletions } from "./guard-deletions.ts";
import { asWarning, type Candidate, prepare } from "./prepare.ts";
import { type ServedDefinition, serveDefinition } from "./served.ts";
import type { ReconcileParts, Subject } from "./subject.ts";
import { warnOfNarrowing } from "./warn-of-narrowing.ts";

/** A tree held against everything that has to be true of it before it comes into force. */
export interface Weighed {
  loaded: Loaded;
  /** The subject, with the factory that the tree goes on with. */
  target: Subject;
  /** Set when that is another one than the subject's. */
  former: FactoryRecord | undefined;
  /** Nothing when the tree alone is not valid. */
  candidate: Candidate | undefined;
  /** All that is to be said of it; with an error among them it cannot come into force. */
  problems: Problem[];
  /** What the prune guard and an upgrade add to the warnings of the plan. */
  guardWarnings: PlanWarning[];
}

/**
 * Finds out whether a tree can come into force, and what that would write. Nothing is written.
 * @param looksAgain whether the revision is in force already, and is only looked at once more
 */
export async function weigh(
  tree: Tree,
  subject: Subject,
  looksAgain: boolean,
  parts: ReconcileParts,
): Promise<Weighed> {
  const loaded = await parts.load(tree, await nameOfSource(subject, parts), subject.cacheName);
  const { definition } = loaded;
  const former = definition && (await formerOf(definition.factory.name, subject, parts));
  const target = former ? { ...subject, factory: former, served: undefined } : subject;
  const candidate = definition && (await prepare(definition, loaded, target, looksAgain, parts));
  // What is in force may be put right, whatever that takes.
  const guarded = candidate && !looksAgain && (await guardDeletions(candidate, tree, loaded, target, parts));
  const narrowed = candidate ? await warnOfNarrowing(candidate, loaded, target, parts) : [];
  const problems = sortProblems([
    ...loaded.problems,
    ...(candidate?.problems ?? []),
    ...narrowed.map(({ problem }) => problem),
    ...(guarded ? guarded.problems : []),
  ]);
  const guardWarnings = [...(guarded ? guarded.warnings : []), ...narrowed.flatMap(asWarning)];
  return { loaded, target, former, candidate, problems, guardWarnings };
}

/** What applying a candidate writes beside the attempt. */
export function written({
  definition: { factory },
  newUids,
  credentials,
}: Candidate): Pick<Application, "factoryName" | "alias" | "newUids" | "credentials"> {
  return { factoryName: factory.name, alias: factory.alias, newUids, credentials };
}

/** What is in force once a candidate was applied. */
export function servedAfter(
  { definition, stored, changes, newUids, credentials }: Candidate,
  at: string,
  sealer: Sealer,
): ServedDefinition {
  const resources = resourcesAfter(stored, changes, newUids, at);
  return serveDefinition(definition, resources, credentials, sealer);
}
