import { dirname } from "node:path/posix";
import type { TreeEntry } from "../git/revision.ts";
import { storable } from "../platform/storable-text.ts";
import type { SkillFile } from "./definition.ts";
import { parseMarkdown } from "./loading/parse.ts";
import { isHidden } from "./loading/tree-path.ts";

/**
 * Reads a SKILL.md. Skills are content and not definitions: whatever the file says is taken, and a front matter that
 * cannot be read leaves the folder's name standing.
 */
export function readSkill(path: string, place: { name: string; agent?: string }, text: string) {
  const parsed = parseMarkdown(path, text);
  const { name, description } = "file" in parsed ? parsed.file.data : {};
  return {
    path,
    name: typeof name === "string" && name !== "" ? storable(name) : place.name,
    ...(typeof description === "string" ? { description: storable(description) } : {}),
    ...(place.agent === undefined ? {} : { agent: place.agent }),
    content: text,
  };
}

/** What a skill may have beside its SKILL.md. */
export const SKILL_LIMITS = { files: 100, bytes: 1024 * 1024 } as const;

/** What lies beside a SKILL.md: what is taken, and in words what is not and why. */
export interface SkillFolder {
  taken: TreeEntry[];
  omission: string | undefined;
}

/**
 * The folders of skills, by the paths of their SKILL.md. A file belongs to the nearest skill above it; what is hidden
 * belongs to none.
 */
export function skillFolders(
  entries: readonly TreeEntry[],
  skillPaths: readonly string[],
): Map<string, SkillFolder> {
  const skillIn = new Map(skillPaths.map((path) => [dirname(path), path]));
  const beside = new Map<string, TreeEntry[]>(skillPaths.map((path) => [path, []]));
  for (const entry of entries) {
    const skill = nearestSkill(entry.path, skillIn);
    if (skill === undefined || entry.path === skill) continue;
    if (!isHidden(pathInSkill(entry.path, skill))) beside.get(skill)?.push(entry);
  }
  return new Map([...beside].map(([path, found]) => [path, withinLimits(found)]));
}

/** The path of a file relative to the folder of its skill. */
export function pathInSkill(path: string, skillPath: string): string {
  return path.slice(skillPath.length - "SKILL.md".length);
}

function nearestSkill(path: string, skillIn: ReadonlyMap<string, string>): string | undefined {
  let folder = path;
  do {
    folder = dirname(folder);
    const skill = skillIn.get(folder);
    if (skill !== undefined) return skill;
  } while (folder !== ".");
  return undefined;
}

function withinLimits(found: readonly TreeEntry[]): SkillFolder {
  const taken: TreeEntry[] = [];
  const over: string[] = [];
  let room: number = SKILL_LIMITS.bytes;
  for (const entry of found) {
    if (taken.length >= SKILL_LIMITS.files || entry.size > room) {
      over.push(entry.path);
      continue;
    }
    taken.push(entry);
    room -= entry.size;
  }
  const [first] = over;
  if (first === undefined) return { taken, omission: undefined };
  const which = over.length === 1 ? first : `${first} and ${over.length - 1} more`;
  const omission =
    `the skill is loaded without ${which}: the limit for a skill is ${SKILL_LIMITS.files} files in addition to its SKILL.md, ` +
    `${SKILL_LIMITS.bytes / 1024 / 1024} MiB in total`;
  return { taken, omission };
}

/** What a file of a skill holds, kept byte for byte. */
export function skillFileContent(bytes: Buffer): Pick<SkillFile, "content" | "encoding"> {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return { content: text };
  return { content: bytes.toString("base64"), encoding: "base64" };
}

/** A file of a skill with its place and its mode. */
export function skillFile(
  { path, executable }: TreeEntry,
  skillPath: string,
  content: Pick<SkillFile, "content" | "encoding">,
): SkillFile {
  return { path: pathInSkill(path, skillPath), ...content, ...(executable ? { executable } : {}) };
}
