import { expect, test } from "vitest";
import { listOperations } from "../../../src/api/document.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { conforming, whyNotConforming } from "../../given/conformance.ts";
import { everyAnswer, type GivenAnswer } from "../../given/every-answer.ts";
import { answerSchema, type ObjectInValue, objectSchemas, objectsIn } from "../../given/object-schemas.ts";
import { scriptedServer } from "../../given/scripted-server.ts";

/** Objects that no answer of this server has yet, or only where there is a forge: test/clients has those. */
const NOT_MADE_YET = ["AmbientAgentConfig.memory_stores[]", "AgentSkillVariant.environments[]"];

const answers = sharedByFile(everyAnswer);

/** The answers with a JSON body. */
const documents = () =>
  answers().flatMap((answer) => {
    const isDescribed = String(answer.status) in operation(answer.operationId).responses;
    const schema = answerSchema(answer.operationId, isDescribed ? String(answer.status) : "default");
    return schema && answer.text ? [{ answer, schema, body: JSON.parse(answer.text) }] : [];
  });

function operation(id: string) {
  const placed = listOperations().find((each) => each.operation.operationId === id);
  if (!placed) throw new Error(`there is no operation ${id}`);
  return placed.operation;
}

function why(answer: GivenAnswer, changes: Partial<GivenAnswer> = {}) {
  return whyNotConforming(answer.method, answer.path, { ...answer, ...changes });
}

test("a server answers on every operation as it is described", () => {
  const well = answers().filter(({ status }) => status < 300);
  const all = listOperations().map(({ operation: { operationId } }) => operationId);
  expect([...new Set(well.map(({ operationId }) => operationId))].sort()).toEqual(all.sort());
  for (const answer of answers()) expect(why(answer)).toBeUndefined();
});

test("every object that is described is in an answer, but for those named here", () => {
  const met = new Set(
    documents().flatMap(({ body, schema }) => objectsIn(body, schema).map(({ name }) => name)),
  );
  const missing = [...objectSchemas().keys()].filter((name) => !met.has(name));
  expect(missing.sort()).toEqual(NOT_MADE_YET.sort());
});

test("an answer that lacks any required member is detected", () => {
  const { tried, escaped } = mutate(({ schema, value }) =>
    (schema.required ?? []).map((key) => {
      const { [key]: _, ...rest } = value;
      return { what: `without ${key}`, object: rest };
    }),
  );
  expect(tried).toBeGreaterThan(200);
  expect(escaped).toEqual([]);
});

test("an answer with a member that is not described is detected, wherever it is", () => {
  const { tried, escaped } = mutate(({ schema, value }) =>
    isOpen(schema) ? [] : [{ what: "with another member", object: { ...value, surprise: {} } }],
  );
  expect(tried).toBeGreaterThan(100);
  expect(escaped).toEqual([]);
});

test("an answer of another status, type or form is detected", () => {
  const changes: Partial<GivenAnswer>[] = [
    { status: 299 },
    { contentType: "text/html" },
    { contentType: null },
    { text: "" },
    { text: "{" },
    { text: "[]" },
  ];
  const escaped = documents().flatMap(({ answer }) =>
    changes
      .filter((change) => why(answer, change) === undefined)
      .map((change) => `${answer.operationId} ${JSON.stringify(change)}`),
  );
  // The body of a delivery is whatever its sender has sent.
  expect(escaped).toEqual(['getPayload {"text":"[]"}']);
});

test("an answer to a method and path that no operation has does not conform", () => {
  const nothing = { status: 200, contentType: "application/json", text: "{}" };
  expect(whyNotConforming("GET", "/api/v1/nothing", nothing)).toBe("no operation has this method and path");
  expect(whyNotConforming("DELETE", "/api/v1/agent/runs", nothing)).toBe(
    "no operation has this method and path",
  );
  const refused = { status: 404, contentType: "application/problem+json", text: "{}" };
  expect(whyNotConforming("GET", "/api/v1/nothing", refused)).toContain("required property 'title'");
});

test("a test that gets such an answer fails, with the request and what is wrong", async () => {
  const { url } = await scriptedServer({ body: '{"factories":[{}]}' });
  const answer = conforming("GET", "/api/v1/factories?limit=1", await fetch(url));
  await expect(answer).rejects.toThrow(
    "GET /api/v1/factories?limit=1 answered 200, against its description: body must have required property 'page_info'; body/factories/0 must have required property 'uid'",
  );
});

function isOpen({ additionalProperties: others, unevaluatedProperties }: ObjectInValue["schema"]): boolean {
  return others !== false && typeof others !== "object" && unevaluatedProperties !== false;
}

type Mutation = (place: ObjectInValue) => { what: string; object: object }[];

/** Changes each object of each answer in each way. @returns how many changes there were, and those that went unnoticed */
function mutate(changesOf: Mutation): { tried: number; escaped: string[] } {
  let tried = 0;
  const escaped: string[] = [];
  for (const { answer, schema, body } of documents()) {
    for (const place of objectsIn(body, schema)) {
      for (const { what, object } of changesOf(place)) {
        tried += 1;
        const text = JSON.stringify(replaced(body, place.path, object));
        if (why(answer, { text }) === undefined) {
          escaped.push(`${answer.operationId} /${place.path.join("/")} ${what}`);
        }
      }
    }
  }
  return { tried, escaped };
}

function replaced(value: unknown, path: readonly (string | number)[], by: object): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}
