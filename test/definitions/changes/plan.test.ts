import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planChanges, type StoredResource } from "../../../src/definitions/changes/plan.ts";
import type { Definition } from "../../../src/definitions/definition.ts";
import { automationOn, FACTORY, load, TOKEN_WEBHOOK } from "../../given/definition.ts";
import type { Files } from "../../given/folder.ts";

async function definitionOf(files: Files): Promise<Definition> {
  const { definition, problems } = await load(files);
  if (!definition) throw new Error(JSON.stringify(problems));
  return definition;
}

/** What the store holds once a plan has been applied. */
function applied(stored: StoredResource[], definition: Definition): StoredResource[] {
  const { changes } = planChanges(stored, definition);
  return changes.map((change, index) => ({
    ...change,
    uid: change.uid ?? `uid-${change.kind}-${change.name}-${index}`,
    createdAt: "",
    updatedAt: "",
    deleted: change.action === "delete",
  }));
}

const summary = (stored: StoredResource[], definition: Definition) =>
  planChanges(stored, definition).changes.map(({ action, kind, name, fields }) =>
    [action, kind, name, ...fields].join(" "),
  );

const base = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };

describe("a plan", () => {
  test("creates, updates, deletes and leaves alone, in a fixed order, with the fields that differ", async () => {
    const stored = applied([], await definitionOf(base));
    const changed = {
      ...FACTORY,
      "webhooks/new.yaml": TOKEN_WEBHOOK,
      "automations/a.md": automationOn(["new"], undefined, "Other."),
    };
    expect(summary(stored, await definitionOf(changed))).toEqual([
      "unchanged factory ",
      "unchanged agent boss",
      "update automation a prompt triggers",
      "delete webhook ci",
      "create webhook new",
    ]);
  });

  test("of what is stored already changes nothing", async () => {
    const definition = await definitionOf(base);
    expect(
      new Set(planChanges(applied([], definition), definition).changes.map(({ action }) => action)),
    ).toEqual(new Set(["unchanged"]));
  });

  test("gives a name that returns its old uid, and a renamed file a new one", async () => {
    const first = applied([], await definitionOf(base));
    const uid = first.find(({ name }) => name === "ci")?.uid;
    const { "webhooks/ci.yaml": _, ...without } = base;
    const gone = applied(first, await definitionOf({ ...without, "webhooks/ci2.yaml": TOKEN_WEBHOOK }));
    expect(gone.find(({ name }) => name === "ci2")?.uid).not.toBe(uid);
    const back = planChanges(
      [...gone, ...first.filter(({ name }) => name === "ci").map((r) => ({ ...r, deleted: true }))],
      await definitionOf(base),
    );
    expect(back.changes.find(({ name }) => name === "ci")).toMatchObject({ action: "create", uid });
  });

  test("leads from any set of webhooks to any other, and then changes nothing", async () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"));
    const files = (webhooks: string[]) => ({
      ...FACTORY,
      ...Object.fromEntries(webhooks.map((name) => [`webhooks/${name}.yaml`, TOKEN_WEBHOOK])),
    });
    await fc.assert(
      fc.asyncProperty(names, names, async (before, after) => {
        const from = applied([], await definitionOf(files(before)));
        const definition = await definitionOf(files(after));
        const to = applied(from, definition);
        expect(
          to
            .filter(({ kind, deleted }) => kind === "webhook" && !deleted)
            .map(({ name }) => name)
            .sort(),
        ).toEqual([...after].sort());
        expect(planChanges(to, definition).changes.every(({ action }) => action === "unchanged")).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
