import { ref } from "../http/operation.ts";

type Properties = Readonly<Record<string, unknown>>;
type Named<P extends Properties> = { [Key in keyof P as Key extends `${infer Name}?` ? Name : Key]: P[Key] };

/** An object with these properties and no others. It may lack those whose name has a question mark at its end. */
export function record<const P extends Properties>(properties: P) {
  return {
    type: "object",
    additionalProperties: false,
    ...required(properties),
    ...named(properties),
  } as const;
}

/** A record with a description of its own. */
export function described<const P extends Properties>(description: string, properties: P) {
  return {
    type: "object",
    additionalProperties: false,
    ...required(properties),
    description,
    ...named(properties),
  } as const;
}

function required(written: Properties): { required?: readonly string[] } {
  const names = Object.keys(written).filter((name) => !name.endsWith("?"));
  return names.length === 0 ? {} : { required: names };
}

function named<P extends Properties>(written: P): { properties: Named<P> } {
  const entries = Object.entries(written).map(([name, schema]) => [name.replace(/\?$/, ""), schema]);
  return { properties: Object.fromEntries(entries) };
}

export const instant = { type: "string", format: "date-time" };
export const optionalInstant = { type: ["string", "null"], format: "date-time" };
/** A time in a query, as people write it: RFC 3339; without an offset it is UTC. */
export const writtenInstant = {
  type: "string",
  format: "instant",
  description:
    "A time such as 2026-01-31T12:00:00Z, or a date such as 2026-01-31, which means its start in UTC.",
};
export const uuid = { type: "string", format: "uuid" };
export const count = { type: "integer", minimum: 0 };
export const optionalCount = { type: ["integer", "null"], minimum: 0 };
export const text = { type: "string" };
/** A text that a request may send: whole characters without NUL, and no more bytes than that. */
export const boundedText = (maxBytes: number, lines?: "one" | "several") => ({
  type: "string",
  "x-text": { maxBytes, ...(lines ? { lines } : {}) },
});
export const optionalText = { type: ["string", "null"] };

/** Where the definition of a factory comes from: properties of whatever tells of one. */
export const modeAndSource = {
  mode: { type: "string", enum: ["repository", "managed", "folder"] },
  source: record({ "url?": text, "branch?": text, path: text }),
};

/** How a run works. */
export const mode = {
  type: "string",
  enum: ["normal", "plan", "orchestrate"],
  description:
    "plan: the agent plans, and carries out its plan when a person has approved it. orchestrate: the run is for the foreman of the factory, which may start other agents.",
};
/** Pairs that a run is marked with (contract, 1.1). */
export const metadata = {
  type: "object",
  maxProperties: 20,
  propertyNames: { pattern: "^[A-Za-z0-9._-]{1,64}$" },
  additionalProperties: { type: "string", "x-text": { maxBytes: 256 } },
  description:
    "Key-value pairs, at most 20: keys of 1 to 64 letters, digits, dots, underscores and hyphens; values of at most 256 bytes.",
};

/** A list under its own name with the page it is. */
export const listOf = (name: string, item: string) =>
  record({ [name]: { type: "array", items: ref(item) }, page_info: ref("PageInfo") });

/** The files of a run, each with all of these. */
export const attachmentsOf = (properties: Record<string, object>) =>
  record({ attachments: { type: "array", items: record(properties) } });

/** A finding in a definition file, of certain severities. */
export function problemOf<Severity extends string>(severities: readonly Severity[]) {
  return record({
    code: text,
    message: text,
    path: text,
    line: { type: "integer", minimum: 1 },
    column: { type: "integer", minimum: 1 },
    severity: { type: "string", enum: severities },
  });
}
