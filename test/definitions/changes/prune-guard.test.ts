import { describe, expect, test } from "vitest";
import { planChanges, resourcesAfter, type StoredResource } from "../../../src/definitions/changes/plan.ts";
import { stricterGuard, suspectDeletions } from "../../../src/definitions/changes/prune-guard.ts";
import { FACTORY, load, TOKEN_WEBHOOK } from "../../given/definition.ts";

async function storedWith(names: string[]): Promise<StoredResource[]> {
  const definition = await definitionWith(names);
  const { changes } = planChanges([], definition);
  const uids = Object.fromEntries(changes.map(({ kind, name }) => [`${kind}/${name}`, `uid-${name}`]));
  return resourcesAfter([], changes, uids, "2026-11-21T10:00:00.000Z");
}

async function definitionWith(names: string[]) {
  const webhooks = Object.fromEntries(names.map((name) => [`webhooks/${name}.yaml`, TOKEN_WEBHOOK]));
  const { definition } = await load({ ...FACTORY, ...webhooks });
  if (!definition) throw new Error("the definition is not valid");
  return definition;
}

async function suspicions(before: string[], after: string[], used: Record<string, string> = {}) {
  const stored = await storedWith(before);
  const { changes } = planChanges(stored, await definitionWith(after));
  return suspectDeletions(stored, changes, used).map(({ code, path }) => `${code} ${path}`);
}

describe("the prune guard suspects", () => {
  test("more than half of the webhooks, and not half of them", async () => {
    expect(await suspicions(["a", "b", "c"], ["a"])).toEqual(["deletes_most_webhooks webhooks/b.yaml"]);
    expect(await suspicions(["a", "b"], ["a"])).toEqual([]);
    expect(await suspicions(["a"], [])).toEqual(["deletes_most_webhooks webhooks/a.yaml"]);
    expect(await suspicions(["a", "b"], ["a", "b", "c"])).toEqual([]);
  });

  test("a rename too, which is a delete and a create", async () => {
    expect(await suspicions(["a"], ["z"])).toEqual(["deletes_most_webhooks webhooks/a.yaml"]);
  });

  test("a webhook that is in use, and not one that stays", async () => {
    const used = { "uid-a": "2026-11-20T10:00:00.000Z", "uid-b": "2026-11-20T10:00:00.000Z" };
    expect(await suspicions(["a", "b", "c"], ["b", "c"], used)).toEqual([
      "deletes_used_webhook webhooks/a.yaml",
    ]);
  });

  test("nothing about tombstones", async () => {
    const stored = (await storedWith(["a", "b", "c", "d"])).map((resource) => {
      return { ...resource, deleted: resource.name === "a" || resource.name === "b" };
    });
    const { changes } = planChanges(stored, await definitionWith(["c"]));
    expect(suspectDeletions(stored, changes, { "uid-a": "x" })).toEqual([]);
  });
});

test("the stricter of two guards counts, whichever comes first", () => {
  expect(stricterGuard("block", "off")).toBe("block");
  expect(stricterGuard("off", "warn")).toBe("warn");
  expect(stricterGuard("off", "off")).toBe("off");
});
