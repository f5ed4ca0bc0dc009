import type { ServerForges } from "../../forge/forge.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import { definedSkills, findSkill, type SkillText } from "../agents/skills.ts";
import type { Run } from "../run.ts";

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
export async function agentSkills(
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
