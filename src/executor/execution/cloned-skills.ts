import { MillraceError } from "../../errors/error.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import { skillReader } from "../../runs/agents/repository-skill.ts";
import type { SkillText } from "../../runs/agents/skills.ts";
import type { LocatedRepository } from "../workspace/repository-folders.ts";

/** Of one repository; no one reads more, and each is copied for each run. */
const MAX_SKILLS = 50;
const FOLDER = ".agents/skills";
const OF_AGENTS = /^\.agents\/skills\/([^/]+)\/SKILL\.md$/;

/**
 * The skills that cloned repositories keep for agents, those of the first repository winning. They are read on the
 * default branch, whatever is checked out: the head of a pull request is written by its author.
 * @param note hears of those that cannot be read
 */
export async function clonedSkills(
  repositories: readonly LocatedRepository[],
  { mirrors, note, signal }: { mirrors: MirrorCache; note(text: string): void; signal: AbortSignal },
): Promise<SkillText[]> {
  const found = new Map<string, SkillText>();
  for (const { owner, name: repository, remote } of repositories) {
    const tree = await mirrors.of(remote).readHead(signal, [FOLDER]);
    const paths = tree.entries.flatMap(({ kind, path }) =>
      kind === "file" && OF_AGENTS.test(path) ? [path] : [],
    );
    if (paths.length > MAX_SKILLS)
      note(
        `skills/ contains only the first ${MAX_SKILLS} of the ${paths.length} skills of ${owner}/${repository}`,
      );
    const read = skillReader(tree);
    for (const path of paths.slice(0, MAX_SKILLS)) {
      const [, name = ""] = OF_AGENTS.exec(path) ?? [];
      if (found.has(name)) continue;
      try {
        found.set(name, { name, ...(await read(`${owner}/${repository}:${path}`, path)) });
      } catch (error) {
        if (!(error instanceof MillraceError)) throw error;
        note(`the skill ${name} was skipped: ${error.message}`);
      }
    }
  }
  return [...found.values()];
}
