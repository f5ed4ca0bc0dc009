import { parseMarkdown } from "../../definitions/loading/parse.ts";
import { errorMessage } from "../../errors/error.ts";
import type { RepositoryName } from "../../forge/forge.ts";
import type { TreeEntry } from "../../git/revision.ts";
import { MAX_SKILL_BYTES, SKILL_HOMES } from "./repository-skill.ts";
import type { SkillDeps } from "./skills.ts";

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
