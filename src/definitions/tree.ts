import type { Skill } from "./definition.ts";
import type { DataPath, ParsedFile } from "./loading/parse.ts";
import type { Problem, ProblemCode, Severity } from "./problem.ts";
import type {
  WrittenAgent,
  WrittenAutomation,
  WrittenFactory,
  WrittenFilterTest,
  WrittenOutbound,
  WrittenRunner,
  WrittenScorer,
  WrittenSuite,
  WrittenWebhook,
} from "./written.ts";

/** A file that fits the schema of its kind, as written. */
export interface WrittenFile<Data> {
  name: string;
  path: string;
  data: Data;
  file: ParsedFile;
}

/** All files of a tree that fit their schemas: what the rules between files are asked about. */
export interface WrittenTree {
  factory: WrittenFile<WrittenFactory> | undefined;
  agents: WrittenFile<WrittenAgent>[];
  automations: WrittenFile<WrittenAutomation>[];
  runners: WrittenFile<WrittenRunner>[];
  webhooks: WrittenFile<WrittenWebhook>[];
  outbound: WrittenFile<WrittenOutbound>[];
  scorers: WrittenFile<WrittenScorer>[];
  suites: WrittenFile<WrittenSuite>[];
  tasks: (WrittenFile<unknown> & { suite: string })[];
  filterTests: (WrittenFile<WrittenFilterTest> & { automation: string })[];
  skills: Skill[];
  /** JSON files next to automations. */
  outputSchemas: OutputSchemaFile[];
  /** Whether nothing at all is a definition too. */
  mayBeEmpty?: boolean;
  /** Every path that names a resource, also of files that are broken: a reference to one of them is no mistake. */
  present: PresentFile[];
}

/** A JSON file that an automation can name as the schema of its answers. */
export interface OutputSchemaFile {
  path: string;
  /** It was read, and found to be one, once it is asked for. */
  read(): { schema: Record<string, unknown> } | { problems: Problem[] };
}

export interface PresentFile {
  kind: string;
  name: string;
  path: string;
}

/** What a rule between files looks like: a sentence about the tree that is true when it returns nothing. */
export type TreeRule = (tree: WrittenTree) => Problem[];

/** What a rule about a single file looks like. */
export type FileRule<Data> = (written: WrittenFile<Data>) => Problem[];

/** A problem at the value of a data path. */
export function problemAt(
  written: WrittenFile<unknown>,
  path: DataPath,
  code: ProblemCode,
  message: string,
  severity: Severity = "error",
): Problem {
  return { code, message, path: written.path, ...written.file.at(path), severity };
}

/** The names of all files of a kind, the broken ones too. */
export function namesOf(tree: WrittenTree, kind: string): Set<string> {
  return new Set(tree.present.filter((file) => file.kind === kind).map((file) => file.name));
}
