import { code, page, table } from "./page.mjs";

const DEEPEST = 6;

/** The page about definition files. @param schemas each schema by the name of its file */
export function definitionFilesPage(schemas) {
  const introduction =
    "This page lists all keys of the definition files. It is generated from the [JSON Schemas](../../schemas/v1alpha1), against which the files are validated. For an overview of the files, see [Definitions](../definitions.md).";
  const documents = Object.entries(schemas).filter(([name]) => name !== "common.schema.json");
  const sections = documents.map(([name, schema]) => documentSection(schema, { schemas, name }));
  return page("Definition files", introduction, sections);
}

/** The page about the settings. @param settings the table of scalar settings @param schema that of millrace.yaml */
export function settingsPage(settings, schema) {
  const introduction =
    "This page lists all environment variables, flags, and keys of `millrace.yaml`. It is generated from the source code and from the [JSON Schema](../../schemas/millrace.schema.json) for the settings file. [Configuration](../configuration.md) explains which of them take precedence.";
  const name = "millrace.schema.json";
  const rows = Object.values(settings).map(({ env, flag, help, fallback }) => [
    code(env),
    flag ? code(flag) : "",
    help,
    fallback && !help.includes("(default") ? code(fallback) : "",
  ]);
  return page("Settings", introduction, [
    `## Variables and flags\n\n${table(["variable", "flag", "description", "default"], rows)}`,
    documentSection(schema, { schemas: { [name]: schema }, name }),
  ]);
}

function documentSection(schema, place) {
  const rows = rowsOf(schema, place, "", 0);
  return [
    `## ${(schema.title ?? place.name).replaceAll(/<(\w+)>/g, "NAME")}`,
    schema.description ?? "",
    table(["key", "type", "description"], rows),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** A row for each key below a schema; what refers to something is looked up, and what holds itself ends at some depth. */
function rowsOf(schema, place, prefix, depth) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, written]) => {
    const { schema: value, place: there } = resolve(written, place);
    const path = `${prefix}${key}`;
    const mark = required.has(key) ? " (required)" : "";
    const row = [code(path), `${kindOf(value, there)}${mark}`, written.description ?? value.description];
    return [row, ...(depth < DEEPEST ? rowsBelow(value, there, path, depth) : [])];
  });
}

function rowsBelow(value, place, path, depth) {
  const item = value.items && resolve(value.items, place);
  if (item?.schema.properties) return rowsOf(item.schema, item.place, `${path}[].`, depth + 1);
  const named = rowsOf(value, place, `${path}.`, depth + 1);
  if (typeof value.additionalProperties !== "object") return named;
  const other = resolve(value.additionalProperties, place);
  return [...named, ...rowsOf(other.schema, other.place, `${path}.NAME.`, depth + 1)];
}

function resolve(schema, place) {
  if (schema.$ref === undefined) return { schema, place };
  const [file, pointer = ""] = schema.$ref.split("#");
  const name = file === "" ? place.name : file;
  const steps = pointer.split("/").filter((step) => step !== "");
  const target = steps.reduce((at, step) => at?.[step], place.schemas[name]);
  if (target === undefined) throw new Error(`${place.name} refers to ${schema.$ref}, which does not exist`);
  return resolve(target, { ...place, name });
}

/** What a value may be, in few words. */
function kindOf(schema, place) {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(", ");
  const ways = schema.oneOf ?? schema.anyOf;
  if (ways && schema.type === undefined) {
    const told = ways.map((way) => {
      const { schema: one, place: there } = resolve(way, place);
      return kindOf(one, there);
    });
    return [...new Set(told)].join(" or ");
  }
  const types = [schema.type ?? "any"].flat().map((type) => typeName(type, schema, place));
  return `${types.join(" or ")}${boundsOf(schema)}`;
}

function typeName(type, schema, place) {
  if (type === "array" && schema.items) {
    const { schema: item, place: there } = resolve(schema.items, place);
    return `list of ${kindOf(item, there)}`;
  }
  return (
    { string: "string", integer: "integer", boolean: "true or false", object: "mapping", array: "list" }[
      type
    ] ?? type
  );
}

function boundsOf({ minimum, maximum }) {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` from ${minimum}`;
  return maximum === undefined ? "" : ` up to ${maximum}`;
}
