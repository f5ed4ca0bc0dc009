import { type SkillFolder, skillFile, skillFileContent, skillFolders } from "../definitions/skill-files.ts";
import { MillraceError } from "../error.ts";
import type { Tree } from "../git/revision.ts";
import type { SkillText } from "./skills.ts";

/** Where repositories keep skills, in the order in which they are looked at (contract.md, 9); then `skills/` itself. */
export const SKILL_HOMES = [
  ".agents/",
  ".warp/",
  ".claude/",
  ".codex/",
  ".cursor/",
  ".gemini/",
  ".copilot/",
  ".factory/",
  ".github/",
  ".opencode/",
  "",
];
export const LARGEST_SKILL_BYTES = 256 * 1024;

/**
 * Reads a skill of a repository with what lies beside it.
 * @param spec as it was named, for messages
 * @param path a name, or the path of its folder or of its SKILL.md
 * @throws MillraceError `environment_setup_failed` that says where it was looked for
 */
export async function readSkill(
  spec: string,
  path: string,
  tree: Tree,
): Promise<Pick<SkillText, "content" | "files" | "leftOut">> {
  const isPath = path.includes("/") || path === "SKILL.md";
  const places = isPath
    ? [path.endsWith("SKILL.md") ? path : `${path}/SKILL.md`]
    : SKILL_HOMES.map((home) => `${home}skills/${path}/SKILL.md`);
  const byPath = new Map(tree.entries.map((entry) => [entry.path, entry]));
  const entry = places.map((place) => byPath.get(place)).find((found) => found?.kind === "file");
  if (!entry)
    throw skillMissing(`There is no skill ${spec}: looked on its default branch for ${places.join(", ")}.`);
  if (entry.size > LARGEST_SKILL_BYTES) {
    throw skillMissing(
      `The skill ${spec} has ${entry.size} bytes, where at most ${LARGEST_SKILL_BYTES} were expected.`,
    );
  }
  const { taken, leftOut } = folderOf(entry.path, tree);
  const blobs = await tree.read([entry, ...taken]);
  const files = taken.map((file) =>
    skillFile(file, entry.path, skillFileContent(blobs.get(file.id) ?? Buffer.alloc(0))),
  );
  const content = decode(spec, blobs.get(entry.id));
  return { content, files, ...(leftOut === undefined ? {} : { leftOut: `${spec}: ${leftOut}` }) };
}

/** The plain files beside a SKILL.md; a link could lead anywhere. */
function folderOf(skillPath: string, { entries }: Tree): SkillFolder {
  const plain = entries.filter(({ kind }) => kind === "file");
  const skills = plain.map(({ path }) => path).filter((path) => /(^|\/)SKILL\.md$/.test(path));
  return skillFolders(plain, skills).get(skillPath) ?? { taken: [], leftOut: undefined };
}

function decode(spec: string, bytes: Buffer | undefined): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw skillMissing(`The skill ${spec} is not UTF-8 text.`);
  }
}

/** A run that cannot have the skill that it names. */
export function skillMissing(message: string): MillraceError {
  return new MillraceError("environment_setup_failed", message);
}
