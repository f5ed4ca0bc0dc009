import type { ServerForges } from "../../forge/forge.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import { definedSkills, findSkill, type SkillText } from "../agents/skills.ts";
import type { Claim, Ending, Run } from "../run.ts";
import { type AssignDeps, assignTurn } from "./assign-turn.ts";
import type { Assignment } from "./assignment.ts";
import { awaitStore, patienceWith } from "./await-store.ts";
import { budgetExceeded, CANCELLED, couldNotExecute, setupFailed } from "./ending.ts";
import { type NeedsDeps, needsOf } from "./needs.ts";
import { type OpenClaim, type StoreDoorDeps, storeDoor, whyOverBudget } from "./store-door.ts";
import type { TurnDoor } from "./turn-door.ts";
import type { RunSignals } from "./turn-signals.ts";

export interface OpenTurnDeps extends AssignDeps, NeedsDeps, StoreDoorDeps {
  store: AssignDeps["store"] & StoreDoorDeps["store"];
  transcripts: AssignDeps["transcripts"] & StoreDoorDeps["transcripts"];
  mirrors: MirrorCache;
}

/** A claimed turn that can be executed; or how it ends without that, which is nothing for one that the next server takes up again. */
export type OpenTurn = { door: TurnDoor } & ({ assignment: Assignment } | { ending: Ending | undefined });

/** Opens the door of a claimed turn. */
export function openDoor(
  claim: OpenClaim,
  deps: OpenTurnDeps,
  findNeeds = () => needsOf(claim.run, deps),
): TurnDoor {
  return storeDoor(claim, deps, async (signal) => {
    const needs = await findNeeds();
    return "missing" in needs ? { defined: [], asked: [] } : agentSkills(claim.run, needs, deps, signal);
  });
}

/**
 * Finds all that the executor of a claimed turn needs, and opens the door through which it reaches the server. It waits for a store
 * that is away.
 */
export async function openTurn(
  claim: Claim,
  deps: OpenTurnDeps,
  { stop, cancel }: Pick<RunSignals, "stop" | "cancel">,
): Promise<OpenTurn> {
  const patience = patienceWith(claim.run, deps.log, stop, cancel);
  const finding = awaitStore(() => needsOf(claim.run, deps), patience);
  // It may fail before it is waited for.
  finding.catch(() => {});
  const door = openDoor(claim, deps, () => finding);
  try {
    const refusal = await awaitStore(() => whyOverBudget(claim, deps), patience);
    if (refusal !== undefined) return { door, ending: budgetExceeded(refusal) };
    const needs = await finding;
    if ("missing" in needs) return { door, ending: setupFailed(needs.missing) };
    const assign = () => assignTurn(claim, needs, deps, patience.until);
    return { door, assignment: await awaitStore(assign, patience) };
  } catch (error) {
    if (cancel.aborted) return { door, ending: CANCELLED };
    return { door, ending: stop.aborted ? undefined : couldNotExecute(error) };
  }
}

export interface AgentSkillsDeps {
  forges: ServerForges<GitAccess>;
  mirrors: MirrorCache;
}

/** What a run's agent has of skills, besides those that its repositories keep for agents. */
export interface AgentSkills {
  /** Those of the definition. */
  defined: SkillText[];
  /** Those that the run names. The first is a part of its prompt; the others are there to be read. */
  asked: SkillText[];
}

/**
 * Finds the skills of a run.
 * @param of the active definition of the run's factory, and the repositories of the run
 * @throws MillraceError `environment_setup_failed` for one that is not there
 */
async function agentSkills(
  run: Run,
  {
    active,
    repositories,
  }: { active: ActiveDefinition | undefined; repositories: readonly { owner: string; name: string }[] },
  { forges, mirrors }: AgentSkillsDeps,
  signal: AbortSignal,
): Promise<AgentSkills> {
  const { skills, skill_spec } = run.config;
  const defined = definedSkills(active, run);
  const deps = { forges: await forges.of(run.factoryUid), mirrors };
  const asked: SkillText[] = [];
  for (const spec of skills ?? (skill_spec === undefined ? [] : [skill_spec]))
    asked.push(await findSkill(spec, { defined, repositories }, deps, signal));
  return { defined, asked };
}
