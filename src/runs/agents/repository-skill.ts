import { dirname } from "node:path/posix";
import { type SkillFolder, skillFile, skillFileContent, skillFolders } from "../../definitions/skill.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Tree, TreeEntry } from "../../git/revision.ts";
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
export const MAX_SKILL_BYTES = 256 * 1024;

/**
 * The folders of a repository in which a skill can be.
 * @param path a name, or the path of its folder or of its SKILL.md
 * @returns nothing for a skill of the root, beside which everything lies
 */
export function skillFoldersOf(path: string): string[] | undefined {
  const folders = placesOf(path).map((place) => dirname(place));
  return folders.includes(".") ? undefined : folders;
}

/** What a skill is, without its name. */
type SkillContent = Pick<SkillText, "content" | "files" | "omission">;

/**
 * Reads skills of a repository, each with what lies beside it. The tree, which may be large, is looked through once.
 * @returns takes a skill as it was named, for messages; and its name, or the path of its folder or of its SKILL.md. Throws
 * MillraceError `environment_setup_failed` that says where it was looked for
 */
export function skillReader(tree: Tree): (spec: string, path: string) => Promise<SkillContent> {
  const plain = tree.entries.filter(({ kind }) => kind === "file");
  const skills = plain.filter(({ path }) => /(^|\/)SKILL\.md$/.test(path)).map(({ path }) => path);
  // Of plain files alone: a link could lead anywhere.
  const known = {
    byPath: new Map(plain.map((entry) => [entry.path, entry])),
    folders: skillFolders(plain, skills),
  };
  return (spec, path) => readSkill(spec, path, { tree, ...known });
}

interface KnownTree {
  tree: Pick<Tree, "read">;
  byPath: ReadonlyMap<string, TreeEntry>;
  folders: ReadonlyMap<string, SkillFolder>;
}

async function readSkill(
  spec: string,
  path: string,
  { tree, byPath, folders }: KnownTree,
): Promise<SkillContent> {
  const places = placesOf(path);
  const entry = places.map((place) => byPath.get(place)).find((found) => found !== undefined);
  if (!entry)
    throw skillMissing(`Skill ${spec} was not found on the default branch. Searched: ${places.join(", ")}.`);
  if (entry.size > MAX_SKILL_BYTES) {
    throw skillMissing(`Skill ${spec} is ${entry.size} bytes; the limit is ${MAX_SKILL_BYTES}.`);
  }
  const { taken, omission } = folders.get(entry.path) ?? { taken: [], omission: undefined };
  const blobs = await tree.read([entry, ...taken]);
  const files = taken.map((file) =>
    skillFile(file, entry.path, skillFileContent(blobs.get(file.id) ?? Buffer.alloc(0))),
  );
  const content = decode(spec, blobs.get(entry.id));
  return { content, files, ...(omission === undefined ? {} : { omission: `${spec}: ${omission}` }) };
}

function placesOf(path: string): string[] {
  if (path.includes("/") || path === "SKILL.md")
    return [path.endsWith("SKILL.md") ? path : `${path}/SKILL.md`];
  return SKILL_HOMES.map((home) => `${home}skills/${path}/SKILL.md`);
}

function decode(spec: string, bytes: Buffer | undefined): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw skillMissing(`Skill ${spec} is not UTF-8 text.`);
  }
}

/** A run that cannot have the skill that it names. */
export function skillMissing(message: string): MillraceError {
  return new MillraceError("environment_setup_failed", message);
}
