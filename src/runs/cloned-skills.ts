import { MillraceError } from "../error.ts";
import type { MirrorCache } from "../git/mirror-cache.ts";
import { readSkill } from "./repository-skill.ts";
import type { SkillText } from "./skills.ts";
import type { LocatedRepository } from "./workspace/repository-folders.ts";

/** Of one repository; nobody reads more, and each is copied for each run. */
const MOST_SKILLS = 50;
const OF_AGENTS = /^\.agents\/skills\/([^/]+)\/SKILL\.md$/;

/**
 * The skills that cloned repositories keep for agents, those of the first repository winning. They are read on the default
 * branch, whatever is checked out: the head of a pull request is written by whoever opened it.
 * @param note hears of those that cannot be read
 */
export async function clonedSkills(
  repositories: readonly LocatedRepository[],
  { mirrors, note, signal }: { mirrors: MirrorCache; note(text: string): void; signal: AbortSignal },
): Promise<SkillText[]> {
  const found = new Map<string, SkillText>();
  for (const { owner, name: repository, remote } of repositories) {
    const tree = await mirrors.of(remote).readHead(signal);
    const paths = tree.entries.flatMap(({ kind, path }) =>
      kind === "file" && OF_AGENTS.test(path) ? [path] : [],
    );
    if (paths.length > MOST_SKILLS)
      note(`skills/ has the first ${MOST_SKILLS} of the ${paths.length} skills of ${owner}/${repository}`);
    for (const path of paths.slice(0, MOST_SKILLS)) {
      const [, name = ""] = OF_AGENTS.exec(path) ?? [];
      if (found.has(name)) continue;
      try {
        found.set(name, { name, ...(await readSkill(`${owner}/${repository}:${path}`, path, tree)) });
      } catch (error) {
        if (!(error instanceof MillraceError)) throw error;
        note(`skills/ goes without ${name}: ${error.message}`);
      }
    }
  }
  return [...found.values()];
}
