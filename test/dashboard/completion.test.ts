import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Schemas, schemasAt } from "../../dashboard/src/editor/schema-at.ts";
import { cursorIn } from "../../dashboard/src/editor/yaml-cursor.ts";

const FOLDER = fileURLToPath(new URL("../../schemas/v1alpha1/", import.meta.url));
const schemas: Schemas = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [name, JSON.parse(readFileSync(FOLDER + name, "utf8"))]),
);

/** What may stand where the text has a `|`. */
function at(text: string, file = "automation.schema.json") {
  const offset = text.indexOf("|");
  const cursor = cursorIn(text.replace("|", ""), offset);
  if (!cursor) return { takes: "nothing", keys: [], values: [] };
  const found = schemasAt(schemas, file, cursor.path, cursor.data);
  return {
    takes: cursor.takes,
    keys: found
      .flatMap(({ properties }) => Object.keys(properties ?? {}))
      .filter((key) => !cursor.siblings.includes(key)),
    values: found.flatMap((schema) => schema.enum ?? []),
  };
}

describe("where a cursor stands, the schema says what can be written", () => {
  test("keys at the top, without those that are there", () => {
    const { takes, keys } = at("agent: boss\n|\n");
    expect(takes).not.toBe("value");
    expect(keys).toContain("triggers");
    expect(keys).not.toContain("agent");
  });

  test("keys of a word that is begun", () => {
    expect(at("tri|\n").keys).toContain("triggers");
    expect(at("triggers:\n  - provider: webhook\n    ev|\n").keys).toEqual(
      expect.arrayContaining(["event", "filter"]),
    );
  });

  test("keys above others, and items of a list of values", () => {
    expect(at("|\ntriggers: []\n")).toMatchObject({ keys: expect.arrayContaining(["agent"]) });
    expect(at("mill|\ntriggers: []\n").keys).not.toContain("triggers");
    expect(at("triggers:\n  - ev|\n    provider: webhook\n").keys).toContain("event");
    expect(at("integrations:\n  - |\n", "factory.schema.json").keys).toEqual(["type"]);
    expect(at("signatureScheme:\n  |\n", "webhook.schema.json").values).toContain("stripe");
  });

  test("values, also those that depend on another key", () => {
    expect(at("triggers:\n  - provider: |\n")).toMatchObject({
      takes: "value",
      values: expect.arrayContaining(["webhook", "schedule"]),
    });
    expect(at("triggers:\n  - provider: github\n    event: pu|\n").values).toEqual(
      expect.arrayContaining(["push", "issue_created"]),
    );
    expect(at("triggers:\n  - provider: webhook\n    event: |\n").values).toEqual(["received"]);
  });

  test("what is below a key on the next line", () => {
    expect(at("triggers:\n  - provider: webhook\n    event: received\n    filter:\n      |\n").keys).toEqual(
      expect.arrayContaining(["webhook_ids", "payload"]),
    );
  });

  test("in mappings and lists on one line", () => {
    expect(at("triggers:\n  - { provider: webhook, | }\n").keys).toContain("event");
    expect(at("triggers: [{ provider: schedule, event: | }]\n").values).toEqual(["cron_fired"]);
    expect(at("harness: { au| }\n").keys).toContain("auth");
  });

  test("of other files, through what they refer to", () => {
    expect(
      at("agentDefaults:\n  harness:\n    auth:\n      source: |\n", "factory.schema.json").values,
    ).toEqual(["managedSecret", "workerEnvironment"]);
    expect(at("platform: { os: | }\n", "runner.schema.json").values).toEqual(["linux", "macos"]);
  });

  test("nothing where there is nothing to say", () => {
    expect(at("nonsense:\n  - |\n")).toMatchObject({ keys: [], values: [] });
    expect(at("# a comment |\n").takes).toBe("nothing");
  });
});
