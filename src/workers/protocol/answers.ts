import { describeViolation } from "../../definitions/loading/explain-violation.ts";
import { schemaChecker } from "../../definitions/loading/validate.ts";
import { OFFER_STATES, OFFERS_ANSWER_SCHEMA } from "./offer.ts";

const text = { type: "string" };
const texts = { type: "array", items: text };
const form = (properties: object, optional: readonly string[] = []) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** More than a day is no lease that a server gives. */
const lease = { type: "integer", minimum: 1, maximum: 7 * 24 * 60 * 60_000 };
/** A part of a path: not one that leads out of a folder, and not several. */
const PART = "(?!\\.{1,2}(?:/|$))[^/\\\\\\u0000-\\u001f]+";
const repository = {
  anyOf: [
    form({ owner: text, name: text, remote: form({ missing: text }) }),
    form({
      owner: { type: "string", pattern: `^${PART}(?:/${PART})*$` },
      name: { type: "string", pattern: `^${PART}$` },
      remote: form({ forge: text, originUrl: text, tokenIn: text }),
    }),
  ],
};

/** The forms of what a server answers. Keys that this version does not know are let through. */
const ANSWER_SCHEMAS = {
  claim: form(
    {
      leaseMs: lease,
      isDraining: { type: "boolean" },
      turns: { type: "array" },
      run: { enum: OFFER_STATES },
      offers: OFFERS_ANSWER_SCHEMA,
    },
    ["run", "offers"],
  ),
  beat: form({
    leaseMs: lease,
    isDraining: { type: "boolean" },
    turns: {
      type: "array",
      items: form({
        id: text,
        isCancelled: { type: "boolean" },
        news: text,
        isForgotten: { type: "boolean" },
      }),
    },
  }),
  call: form({ result: {} }, ["result"]),
  /** What of an assignment becomes part of a path, or is looked at before its run can be ended with an error. */
  assignment: form(
    {
      run: form({
        id: { type: "string", format: "uuid" },
        turn: { type: "integer", minimum: 1 },
        startedAt: { type: ["string", "null"] },
        config: { type: "object" },
        execution: form({ harness: form({ type: text }) }),
        executor: form({ displayName: text }),
      }),
      ticket: { type: "integer", minimum: 0 },
      isElsewhere: { type: "boolean" },
      repositories: { type: "array", items: repository },
      setupCommands: { type: "array", items: form({ command: text, of: text }) },
      cacheSetup: { type: ["boolean", "null"] },
      machine: { type: "object" },
      secrets: { type: "array", items: { type: "array", minItems: 2, items: text } },
      registryAuths: { type: "object" },
      pushToken: text,
      runToken: text,
      hidden: texts,
      notes: texts,
      lastSeq: { type: "integer", minimum: 0 },
      timeoutMs: { type: "integer", minimum: 1 },
      setupTimeoutMs: { type: "integer", minimum: 1 },
    },
    ["registryAuths", "pushToken", "setupTimeoutMs", "isElsewhere", "cacheSetup"],
  ),
};

export type AnswerName = keyof typeof ANSWER_SCHEMAS;

/** What is wrong with the form of an answer: a worker does not take it for the server's. */
export function answerProblem(name: AnswerName, answer: unknown): string | undefined {
  return formProblem(ANSWER_SCHEMAS[name], answer);
}

type Compile = ReturnType<typeof schemaChecker>;

let compile: Compile | undefined;
const compiled = new WeakMap<object, ReturnType<Compile>>();

/**
 * What is wrong with the form of something that came over the network, in words; nothing where it fits its JSON schema. A schema
 * is compiled when it is first asked for: a server without workers starts without that.
 */
export function formProblem(schema: object, value: unknown): string | undefined {
  compile ??= schemaChecker({});
  const check = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, check);
  const [violation] = check(value);
  return violation && describeViolation(violation);
}
