import { readSchema } from "../../src/definitions/loading/validate.ts";

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  then?: Schema;
  else?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const read = (file: string): Schema => JSON.parse(readSchema(`v1alpha1/${file}`));

/**
 * Every key that a kind of file can have, at any depth, as the path of names that leads to it. A key of our own block
 * `millrace` counts, the block itself does not.
 */
export function keysOf(kind: string): string[] {
  const file = `${kind}.schema.json`;
  const keys = new Set<string>();
  collect(read(file), { file, at: "", keys, entered: [] });
  return [...keys].filter((key) => !/(^|\.)(millrace|agentDefaults)$/.test(key));
}

interface Place {
  file: string;
  at: string;
  keys: Set<string>;
  /** The references on the way here: a schema may refer to itself. */
  entered: readonly string[];
}

function collect(schema: Schema, place: Place): void {
  if (schema.$ref) follow(schema.$ref, place);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const at = place.at === "" ? name : `${place.at}.${name}`;
    place.keys.add(at);
    collect(property, { ...place, at });
  }
  const { items, additionalProperties, then, allOf = [], anyOf = [], oneOf = [] } = schema;
  const open = typeof additionalProperties === "object" ? additionalProperties : undefined;
  for (const part of [items, open, then, schema.else, ...allOf, ...anyOf, ...oneOf])
    if (part) collect(part, place);
}

function follow(ref: string, place: Place): void {
  const [named, pointer = ""] = ref.split("#/$defs/");
  const file = named || place.file;
  const target = `${file}#${pointer}`;
  const found = read(file).$defs?.[pointer];
  if (!found) throw new Error(`${place.file} refers to ${ref}, which does not exist`);
  if (!place.entered.includes(target))
    collect(found, { ...place, file, entered: [...place.entered, target] });
}
