import type { TreeEntry } from "../../git/revision.ts";
import { unstorableTexts, whyUnstorable } from "../../platform/storable-text.ts";
import { checkFile } from "../check.ts";
import type { Skill, SkillFile } from "../definition.ts";
import {
  FILE_START,
  MAX_PROBLEMS_OF_FILE,
  type Problem,
  type ProblemCode,
  type Severity,
} from "../problem.ts";
import { readSkill, skillFileContent } from "../skill.ts";
import type { OutputSchemaFile, WrittenFile } from "../tree.ts";
import { formatPath } from "./explain-violation.ts";
import { outputSchemaFile } from "./output-schema.ts";
import { type ParsedFile, parseMarkdown, parseYaml } from "./parse.ts";
import type { TreePath } from "./tree-path.ts";
import { type DefinitionSchema, validate } from "./validate.ts";

/** How the file begins that Git LFS commits in the place of another (its specification, "The Pointer"). */
const LFS_POINTER = "version https://git-lfs.github.com/spec/";

/** What a definition tree may measure at most. */
export const TREE_LIMITS = { files: 10_000, bytes: 64 * 1024 * 1024, fileBytes: 256 * 1024 } as const;

/** A file of a tree that is looked at, and what it stands for. */
export interface Resource {
  entry: TreeEntry;
  place: TreePath | { kind: "beside_skill"; skill: string };
}

/** What one file says. */
export interface LoadedFile {
  written: WrittenFile<unknown> | undefined;
  skill: Skill | undefined;
  /** What a file beside a SKILL.md holds. */
  beside?: Pick<SkillFile, "content" | "encoding">;
  /** What an automation can name as the schema of its answers. What is wrong with it counts only then. */
  outputSchema?: OutputSchemaFile;
  problems: Problem[];
}

/** Whether the bytes of a file are worth reading. */
export function isReadable({ entry, place }: Resource): boolean {
  if (place.kind === "beside_skill") return entry.kind === "file";
  return entry.kind === "file" && entry.size <= TREE_LIMITS.fileBytes && place.kind !== "unsupported";
}

/** Reads one file. @param bytes nothing for what is not readable */
export function loadFile({ entry, place }: Resource, bytes: Buffer | undefined): LoadedFile {
  const severity = BROKEN[place.kind] ?? "error";
  const broken = (code: ProblemCode, message: string): LoadedFile => ({
    written: undefined,
    skill: undefined,
    problems: [{ code, message, path: entry.path, ...FILE_START, severity }],
  });
  if (entry.kind === "symlink")
    return broken("FF_INVALID_DOCUMENT", "is a symbolic link, which is not followed: put the file here");
  if (entry.kind === "submodule")
    return broken("FF_INVALID_DOCUMENT", "is a submodule, which is not fetched: put the files here");
  if (place.kind === "unsupported") {
    return broken(
      "FF_UNSUPPORTED_PATH",
      `looks like a definition file, but not at its path: expected ${place.expected}`,
    );
  }
  if (place.kind === "beside_skill") {
    return {
      written: undefined,
      skill: undefined,
      beside: skillFileContent(bytes ?? Buffer.alloc(0)),
      problems: [],
    };
  }
  if (place.kind === "output_schema") {
    const outputSchema = outputSchemaFile(entry.path, decodeUtf8(bytes ?? Buffer.alloc(0)));
    return { written: undefined, skill: undefined, outputSchema, problems: [] };
  }
  if (entry.size > TREE_LIMITS.fileBytes) {
    return broken(
      "FF_INVALID_DOCUMENT",
      `is ${entry.size} bytes; the limit for a definition file is ${TREE_LIMITS.fileBytes} bytes`,
    );
  }
  const text = decodeUtf8(bytes ?? Buffer.alloc(0));
  if (text === undefined) return broken("FF_INVALID_DOCUMENT", "is not UTF-8 text");
  if (text.includes("\0"))
    return broken("FF_INVALID_DOCUMENT", "contains a NUL character, so it is not text");
  if (text.startsWith(LFS_POINTER))
    return broken(
      "FF_INVALID_DOCUMENT",
      "is a Git LFS pointer, whose content is not fetched: remove the path from .gitattributes and commit the file itself",
    );
  if (place.kind === "ignored") return { written: undefined, skill: undefined, problems: [] };
  if (place.kind === "skill") {
    return { written: undefined, skill: readSkill(entry.path, place, text), problems: [] };
  }
  const read = loadResource(entry.path, place, text);
  return place.kind === "filter_test" ? { ...read, problems: read.problems.map(notRun) } : read;
}

/**
 * How bad it is when a file cannot be read. A skill is content that agents read, and what stands in the place of a test is
 * anybody's in the public format: they are left out, and the rest is none the worse for it.
 */
const BROKEN: Partial<Record<Resource["place"]["kind"], Severity>> = {
  skill: "warning",
  beside_skill: "warning",
  filter_test: "notice",
};

function notRun(problem: Problem): Problem {
  return { ...problem, message: `is not run as a test: ${problem.message}`, severity: "notice" };
}

function loadResource(
  path: string,
  place: { kind: DefinitionSchema; name: string; suite?: string; automation?: string },
  text: string,
): LoadedFile {
  const parsed = path.endsWith(".md") ? parseMarkdown(path, text) : parseYaml(path, text);
  const wrong = "problems" in parsed ? parsed.problems : wrongIn(parsed.file, place.kind);
  if ("problems" in parsed || wrong.length > 0)
    return { written: undefined, skill: undefined, problems: saysWhenCut(path, wrong) };
  const { kind, ...names } = place;
  const written = { ...names, path, data: parsed.file.data, file: parsed.file };
  return { written, skill: undefined, problems: checkFile(kind, written) };
}

function wrongIn(file: ParsedFile, kind: DefinitionSchema): Problem[] {
  // The payload in a test is matched, and stored nowhere.
  const texts = kind === "filter_test" ? [] : unstorableTexts(file.data, { most: MAX_PROBLEMS_OF_FILE });
  const unstorable = texts.map(({ path, text }): Problem => {
    const message = `"${formatPath(path)}": ${whyUnstorable(text)}`.replaceAll("\0", "\\0").toWellFormed();
    return {
      code: "FF_INVALID_VALUE",
      message,
      path: file.path,
      ...(text === path.at(-1) ? file.atKey(path) : file.at(path)),
      severity: "error",
    };
  });
  return unstorable.length > 0 ? unstorable : validate(kind, file);
}

/** Of a file that has no end of problems, the first are enough, as long as that is said. */
function saysWhenCut(path: string, problems: Problem[]): Problem[] {
  const [first] = problems;
  if (!first || problems.length < MAX_PROBLEMS_OF_FILE) return problems;
  const message = `only the first ${MAX_PROBLEMS_OF_FILE} problems of this file are listed: fix these first`;
  return [...problems, { ...first, message, path, ...FILE_START }];
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a file without a leading byte order mark, or nothing when the bytes are not UTF-8. */
function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
