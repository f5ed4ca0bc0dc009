import { dirname } from "node:path/posix";
import type { Skill, SkillFile } from "../../definitions/definition.ts";
import { parseMarkdown } from "../../definitions/loading/parse.ts";
import { type SkillFolder, skillFile, skillFileContent, skillFolders } from "../../definitions/skill.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import type { Forges, RepositoryName } from "../../forge/forge.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import type { Tree, TreeEntry } from "../../git/revision.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import { skillPlace } from "../rules/skill-reference.ts";
import type { Run } from "../run.ts";

/** A SKILL.md, the name of its folder, and what lies beside it there. */
export interface SkillText {
  name: string;
  content: string;
  files: readonly SkillFile[];
  /** What of its folder is not here, in words. */
  omission?: string;
}

interface SkillDeps {
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

/** Where repositories keep skills, in the order in which they are looked at (contract.md, 9); then `skills/` itself. */
const SKILL_HOMES = [
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
const MAX_SKILL_BYTES = 256 * 1024;

/**
 * The folders of a repository in which a skill can be.
 * @param path a name, or the path of its folder or of its SKILL.md
 * @returns nothing for a skill of the root, beside which everything lies
 */
function skillFoldersOf(path: string): string[] | undefined {
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
function skillMissing(message: string): MillraceError {
  return new MillraceError("environment_setup_failed", message);
}

/** A skill that a repository has, as a list shows it. */
export interface ListedSkill {
  /** What a request names it by. */
  spec: string;
  name: string;
  /** The path of its SKILL.md. */
  path: string;
  description: string;
  prompt: string;
  /** Why it cannot be read, when it cannot. */
  error?: string;
}

const MAX_SKILLS = 100;
/** Front matters of skills are short; a long one is not worth the time that it takes to read. */
const MAX_FRONT_MATTER = 16 * 1024;

/**
 * The skills on the default branch of a repository, as it was when it was last fetched.
 * @param refresh whether to fetch it first; what was never fetched is fetched in any case
 * @throws SourceError when it cannot be fetched
 */
export async function listRepositorySkills(
  repository: RepositoryName,
  { forges, mirrors }: SkillDeps,
  { refresh, signal }: { refresh: boolean; signal: AbortSignal },
): Promise<ListedSkill[]> {
  const remote = forges.locate(repository);
  if ("missing" in remote) return [];
  const mirror = mirrors.of(remote);
  if (refresh || !(await mirror.exists())) await mirror.refresh(signal);
  const tree = await mirror.readHead(
    signal,
    SKILL_HOMES.map((home) => `${home}skills`),
  );
  const found = tree.entries.filter(isSkill).slice(0, MAX_SKILLS);
  const blobs = await tree.read(found.filter(({ size }) => size <= MAX_SKILL_BYTES));
  return found.map((entry) => readListed(repository, entry.path, blobs.get(entry.id)));
}

function isSkill({ kind, path }: TreeEntry): boolean {
  return (
    kind === "file" &&
    SKILL_HOMES.some(
      (home) => path.startsWith(`${home}skills/`) && /^[^/]+\/SKILL\.md$/.test(path.slice(home.length + 7)),
    )
  );
}

function readListed({ owner, name }: RepositoryName, path: string, bytes: Buffer | undefined): ListedSkill {
  const listed = {
    spec: `${owner}/${name}:${path}`,
    name: path.split("/").at(-2) ?? "",
    path,
    description: "",
    prompt: "",
  };
  try {
    return { ...listed, ...readSkillText(path, bytes) };
  } catch (error) {
    return { ...listed, error: errorMessage(error) };
  }
}

function readSkillText(path: string, bytes: Buffer | undefined): Pick<ListedSkill, "description" | "prompt"> {
  if (!bytes) throw new Error(`it is larger than ${MAX_SKILL_BYTES} bytes`);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  if (!text.startsWith("---")) return { description: "", prompt: text };
  if (text.indexOf("\n---", 3) > MAX_FRONT_MATTER) throw new Error("its front matter is too long");
  const parsed = parseMarkdown(path, text);
  if ("problems" in parsed) throw new Error(parsed.problems[0]?.message ?? "its front matter is malformed");
  const { data, body } = parsed.file;
  return { description: typeof data.description === "string" ? data.description : "", prompt: body };
}
