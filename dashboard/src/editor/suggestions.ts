import { type DataPath, isMarkdown } from "./definition-text.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { type Schema, type Schemas, schemasAt } from "./schema-at.ts";
import { cursorIn, type YamlCursor } from "./yaml-cursor.ts";

/** What could be written at a place, as CodeMirror takes it. */
export interface Suggestion {
  label: string;
  /** What is written, where that is more than the label. */
  apply?: string;
  /** What it means. */
  info?: string;
}

/** What there is on this server that definitions can name. */
export interface KnownNames {
  webhooks: readonly string[];
  agents: readonly string[];
  runners: readonly string[];
  secrets: readonly string[];
}

/** Where files are, and which schema they have. */
const SCHEMAS: readonly [RegExp, string][] = [
  [/^factory\.yaml$/, "factory"],
  [/^agents\/[^/]+\/agent\.md$/, "agent"],
  [/^automations\/[^/]+\/tests\/[^/]+\.yaml$/, "filter_test"],
  [/^automations\/([^/]+\/automation|[^/]+)\.md$/, "automation"],
  [/^runners\/[^/]+\.yaml$/, "runner"],
  [/^webhooks\/[^/]+\.yaml$/, "webhook"],
  [/^outbound\/[^/]+\.yaml$/, "outbound"],
];

export function schemaOf(path: string): string | undefined {
  const name = SCHEMAS.find(([pattern]) => pattern.test(path))?.[1];
  return name && `${name}.schema.json`;
}

const FENCE = "---\n".length;

/** What could be written at an offset of a file; nothing below its front matter. */
export function suggestIn(
  file: { path: string; text: string },
  offset: number,
  schemas: Schemas,
  known: KnownNames,
): Suggestion[] {
  const schema = schemaOf(file.path);
  const head = isMarkdown(file.path) ? splitFrontMatter(file.text)?.head : file.text;
  const inHead = isMarkdown(file.path) ? offset - FENCE : offset;
  if (schema === undefined || head === undefined || inHead < 0 || inHead > head.length) return [];
  const cursor = cursorIn(head, inHead);
  if (!cursor) return [];
  const here = schemasAt(schemas, schema, cursor.path, cursor.data);
  const keys =
    cursor.takes === "value" ? [] : keysOf(here, cursor, (key) => infoOf(schemas, schema, cursor, key));
  const values = cursor.takes === "key" ? [] : [...valuesOf(here), ...namesFor(cursor.path, known)];
  return [...keys, ...values.map((label) => ({ label }))];
}

function keysOf(
  here: readonly Schema[],
  { siblings }: YamlCursor,
  info: (key: string) => string | undefined,
): Suggestion[] {
  const keys = new Set(here.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...keys]
    .filter((key) => !siblings.includes(key))
    .map((key) => {
      const told = info(key);
      return { label: key, apply: `${key}: `, ...(told === undefined ? {} : { info: told }) };
    });
}

function infoOf(schemas: Schemas, file: string, { path, data }: YamlCursor, key: string): string | undefined {
  return schemasAt(schemas, file, [...path, key], data).find(({ description }) => description)?.description;
}

function valuesOf(here: readonly Schema[]): string[] {
  const constants = here.flatMap(({ enum: listed = [], const: only }) => [
    ...listed,
    ...(only === undefined ? [] : [only]),
  ]);
  const isFlag = here.some(({ type }) => type === "boolean");
  return [...new Set([...constants.map(String), ...(isFlag ? ["true", "false"] : [])])];
}

/** Names of what is on the server, where a definition names it. */
function namesFor(path: DataPath, known: KnownNames): readonly string[] {
  const keys = path.filter((step) => typeof step === "string");
  const [last, before] = [keys.at(-1), keys.at(-2)];
  if (last === "webhooks" && before === "millrace") return known.webhooks;
  if (last === "agent") return known.agents;
  if (last === "runner") return known.runners;
  return last === "secrets" || last === "secretName" ? known.secrets : [];
}
