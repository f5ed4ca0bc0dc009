import { describe, expect, test } from "vitest";
import { DEFINITION_SCHEMAS } from "../../src/definitions/loading/validate.ts";
import { load } from "../given/definition.ts";
import { titlesOf } from "../given/titles.ts";
import type { Evidence } from "./evidence.ts";
import { KEY_EVIDENCE, TRIGGER_EVIDENCE } from "./key-evidence.ts";
import { keysOf } from "./schema-keys.ts";

/** The evidence of a key itself, or of what it is a part of. */
function evidenceOf(kind: string, key: string): Evidence | undefined {
  const known = KEY_EVIDENCE[kind] ?? {};
  if (known[key]) return known[key];
  const parts = key.split(".");
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    const above = parts.slice(0, depth).join(".");
    const whole = known[above];
    if (known[`${above}.*`]) return known[`${above}.*`];
    if (typeof whole === "object" && "notice" in whole) return whole;
  }
  return known["*"];
}

async function expectEvidence(evidence: Evidence): Promise<void> {
  if (evidence === "for readers") return;
  if ("shownBy" in evidence) {
    const [file, name] = evidence.shownBy;
    return expect(titlesOf(file)).toContainEqual(expect.stringContaining(name));
  }
  const { problems } = await load(evidence.files);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const notices = problems.filter(({ severity }) => severity === "notice").map(({ message }) => message);
  expect(notices).toContainEqual(
    expect.stringMatching(new RegExp(`${evidence.notice}.*: has no effect on this server yet`)),
  );
}

describe("every key of a definition has an effect that a test shows, or a notice that it has none yet", () => {
  test.each(DEFINITION_SCHEMAS.flatMap((kind) => keysOf(kind).map((key) => [kind, key] as const)))(
    "%s: %s",
    async (kind, key) => {
      const evidence = evidenceOf(kind, key);
      expect(evidence, "there is no evidence for this key").toBeDefined();
      if (evidence) await expectEvidence(evidence);
    },
  );

  test.each(Object.entries(TRIGGER_EVIDENCE))("triggers of %s", (_, evidence) => expectEvidence(evidence));

  test("other types of agents have an effect too", () =>
    expectEvidence({ shownBy: ["api/tasks/stage-agents.test.ts", "names the agents of its factory"] }));

  test("evidence is for keys that there are", () => {
    const wrong = Object.entries(KEY_EVIDENCE).flatMap(([kind, known]) =>
      Object.keys(known)
        .filter((key) => key !== "*" && !keysOf(kind).includes(key.replace(/\.\*$/, "")))
        .map((key) => `${kind}: ${key}`),
    );
    expect(wrong).toEqual([]);
  });

  test("keys at every depth are checked", () => {
    expect(keysOf("agent")).toEqual(expect.arrayContaining(["harness.auth.secretName", "mcpServers.warpId"]));
    expect(keysOf("automation")).toEqual(
      expect.arrayContaining(["triggers.filter.webhook_ids", "triggers.schedule.cron", "millrace.missed"]),
    );
  });
});
