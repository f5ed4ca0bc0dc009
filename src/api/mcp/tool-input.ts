import { describeViolation } from "../../definitions/loading/explain-violation.ts";
import { schemaChecker, type Violation } from "../../definitions/loading/validate.ts";
import { MillraceError } from "../../errors/error.ts";
import { refuseUnstorable } from "../http/refuse-unstorable.ts";
import type { Tool } from "./tool.ts";

/** Nobody reads more of them. */
const MAX_VIOLATIONS = 10;

type Check = (value: unknown) => Violation[];
const checks = new WeakMap<Tool, Check>();
let compile: ((schema: object) => Check) | undefined;

/**
 * Holds the arguments of a call against the schema of its tool.
 * @throws MillraceError `invalid_request` that names each wrong field, and what the tool expects
 */
export function checkInput(tool: Tool, given: Record<string, unknown>): Record<string, unknown> {
  const check = checks.get(tool) ?? compileFor(tool);
  const named = withoutSynonyms(given, tool);
  refuseUnstorable(named, `The arguments of ${tool.name}`);
  const violations = check(named);
  if (violations.length === 0) return named;
  const why = violations.slice(0, MAX_VIOLATIONS).map(describeViolation).join("; ");
  throw new MillraceError("invalid_request", `The arguments of ${tool.name} are not valid: ${why}.`, {
    remedy: `Expected: ${shapeOf(tool)}.`,
  });
}

/** What is given under both its names is left as it is, so that the schema refuses the other name. */
function withoutSynonyms(given: Record<string, unknown>, { synonyms = {} }: Tool): Record<string, unknown> {
  const names = new Map(Object.entries(synonyms));
  const entries = Object.entries(given).map(([name, value]) => {
    const own = names.get(name);
    return [own === undefined || Object.hasOwn(given, own) ? name : own, value];
  });
  return Object.fromEntries(entries);
}

/** It is compiled when the tool is first called: most servers never are asked for some. */
function compileFor(tool: Tool): Check {
  compile ??= schemaChecker({});
  const check = compile(tool.input);
  checks.set(tool, check);
  return check;
}

interface Property {
  type?: string;
  enum?: readonly string[];
  items?: Property;
}

/** The arguments of a tool as a model would write them, for example `{"agent": string, "title"?: string}`. */
export function shapeOf({ input: { properties, required = [] } }: Tool): string {
  const fields = Object.entries(properties).map(([name, property]) => {
    return `"${name}"${required.includes(name) ? "" : "?"}: ${typeOf(property)}`;
  });
  return `{${fields.join(", ")}}`;
}

function typeOf({ type, enum: values, items }: Property): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  return type === "array" ? `[${typeOf(items ?? {})}]` : (type ?? "any");
}
