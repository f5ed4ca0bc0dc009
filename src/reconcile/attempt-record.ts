import { isDeepStrictEqual } from "node:util";
import { resourcesAfter } from "../definitions/changes/plan.ts";
import { type Problem, treeProblem } from "../definitions/problem.ts";
import type { Revision } from "../git/revision.ts";
import { newUuid } from "../id.ts";
import type { Principal } from "../principals/principal.ts";
import type { Sealer } from "../secrets/seal.ts";
import { type ActiveDefinition, activeDefinition } from "./active-definition.ts";
import type { Application, Attempt, FactoryRecord, FactoryStore } from "./factory.ts";
import type { Reason } from "./outcome.ts";
import type { Candidate } from "./prepare.ts";

/** More problems than this are counted, not kept: a person reads the first ones, and the store keeps every attempt. */
const MAX_KEPT_PROBLEMS = 200;

/** What is recorded of an attempt, whatever comes of it. */
export function attemptOf(
  revision: Revision,
  { candidate, problems }: { candidate: Candidate | undefined; problems: readonly Problem[] },
  reason: Reason,
  principal: Principal | null,
  at: Date,
): Attempt {
  const changes = candidate?.changes ?? [];
  return {
    id: newUuid(),
    revision,
    at: at.toISOString(),
    problems: keep(problems),
    changes,
    reason,
    principal,
  };
}

/** What applying a candidate writes beside the attempt. */
export function written({
  definition: { factory },
  generation,
  newUids,
  credentials,
}: Candidate): Pick<Application, "expects" | "factoryName" | "alias" | "newUids" | "credentials"> {
  return { expects: generation, factoryName: factory.name, alias: factory.alias, newUids, credentials };
}

/** What is in force once a candidate was applied, which the store does only on what it was planned on. */
export function definitionAfter(
  { definition, stored, changes, newUids, credentials }: Candidate,
  { generation, at }: { generation: number; at: string },
  sealer: Sealer,
): ActiveDefinition {
  const resources = resourcesAfter(stored, changes, newUids, at);
  return activeDefinition(definition, { generation, resources, credentials }, sealer);
}

export async function restoreStatus(
  { uid, sync }: FactoryRecord,
  problems: Problem[],
  store: FactoryStore,
): Promise<void> {
  if (sync.status === "synced" && isDeepStrictEqual(problems, sync.problems)) return;
  await store.recordSynced(uid, problems);
}

export function keep(problems: readonly Problem[]): Problem[] {
  if (problems.length <= MAX_KEPT_PROBLEMS) return [...problems];
  const rest = `${problems.length - MAX_KEPT_PROBLEMS} more problems: run \`millrace validate\` to see all of them`;
  return [...problems.slice(0, MAX_KEPT_PROBLEMS), treeProblem("FF_INVALID_DOCUMENT", rest, "notice")];
}
