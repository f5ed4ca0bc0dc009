import type { Skill, SkillFile } from "../../definitions/definition.ts";
import { parseMarkdown } from "../../definitions/loading/parse.ts";
import type { Forges } from "../../forge/forge.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import { skillPlace } from "../rules/skill-reference.ts";
import type { Run } from "../run.ts";
import { skillFoldersOf, skillMissing, skillReader } from "./repository-skill.ts";

/** A SKILL.md, the name of its folder, and what lies beside it there. */
export interface SkillText {
  name: string;
  content: string;
  files: readonly SkillFile[];
  /** What of its folder is not here, in words. */
  omission?: string;
}

export interface SkillDeps {
  /** Those that the factory may use that reads skills. */
  forges: Forges<GitAccess>;
  mirrors: MirrorCache;
}

/** The skills of a definition that a run's agent has: the shared ones and its own, which win. */
export function definedSkills(active: ActiveDefinition | undefined, run: Pick<Run, "agentUid">): SkillText[] {
  if (!active) return [];
  const agent = active.resources.find(({ kind, uid }) => kind === "agent" && uid === run.agentUid)?.name;
  const { skills } = active.definition;
  const shared = skills.filter((skill) => skill.agent === undefined);
  const own = skills.filter((skill) => skill.agent !== undefined && skill.agent === agent);
  const byName = new Map([...shared, ...own].map((skill) => [folderOf(skill), skill]));
  return [...byName].map(([name, { content, files = [] }]) => ({ name, content, files }));
}

/** The folder's name, and not the one that the file gives itself: that can be any text. */
function folderOf({ path }: Pick<Skill, "path">): string {
  return path.split("/").at(-2) ?? "";
}

/**
 * The skill that a run names: in a repository, or without one among those of the definition.
 * @throws MillraceError `environment_setup_failed` that says where it was looked for
 */
export async function findSkill(
  spec: string,
  context: { defined: readonly SkillText[]; repositories: readonly { owner: string; name: string }[] },
  { forges, mirrors }: SkillDeps,
  signal: AbortSignal,
): Promise<SkillText> {
  const place = skillPlace(spec);
  if (!place.repository) {
    const found = context.defined.find(({ name }) => name === place.path);
    if (found) return found;
    const names = context.defined.map(({ name }) => name).join(", ") || "none";
    throw skillMissing(
      `The definition does not provide a skill "${spec}" to the agent (available: ${names}). ` +
        "To use a skill from a repository, write owner/repo:name.",
    );
  }
  const repository = wholeName(place.repository, spec, context.repositories);
  const remote = forges.locate(repository);
  if ("missing" in remote) throw skillMissing(`Skill ${spec} cannot be fetched. ${remote.missing}`);
  const mirror = mirrors.of(remote);
  await mirror.refresh(signal);
  const tree = await mirror.readHead(signal, skillFoldersOf(place.path));
  return { name: place.name, ...(await skillReader(tree)(spec, place.path)) };
}

/** A repository without its owner is one of those that the run works on. */
function wholeName(
  { owner, name }: { owner?: string; name: string },
  spec: string,
  repositories: readonly { owner: string; name: string }[],
): { owner: string; name: string } {
  if (owner !== undefined) return { owner, name };
  const [only, another] = repositories.filter((repository) => repository.name === name);
  if (only && !another) return only;
  throw skillMissing(
    `Skill ${spec} refers to the repository "${name}" without its owner, and ` +
      `${only ? "several" : "none"} of the run's repositories ${only ? "have" : "has"} that name; write owner/${spec}.`,
  );
}

/** What a skill says to an agent: its text without the front matter. */
export function skillPrompt({ name, content }: Pick<SkillText, "name" | "content">): string {
  const parsed = content.startsWith("---") ? parseMarkdown(`${name}/SKILL.md`, content) : undefined;
  return parsed && "file" in parsed ? parsed.file.body : content;
}
