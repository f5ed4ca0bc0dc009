import { describe, expect, test } from "vitest";
import { loadDefinition } from "../../../src/definitions/loading/load.ts";
import type { Tree } from "../../../src/git/revision.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK, treeOf } from "../../given/definition.ts";
import { costlyFiles } from "../../given/folder.ts";
import { aLoader } from "../../given/loader.ts";

const FILES = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"], { branch: ["main"], __proto__: ["x"], "1": [1] }),
  "skills/s/SKILL.md": "---\nname: s\n---\nDo it — well.\n",
  "skills/s/é.bin": Buffer.from([0xff, 0]),
};
describe("a definition that is read on a thread", () => {
  test("says what one that is read here says", async () => {
    const tree = treeOf(FILES);
    const [there, here] = [await aLoader().load(tree, "source"), await loadDefinition(tree, "source")];
    expect(there.definition).toEqual(here.definition);
    expect(there.problems).toEqual(here.problems);
    for (const { path, data } of here.files) {
      expect(there.valueAt(path, [])).toEqual(data);
      for (const at of [
        [],
        ["triggers"],
        ["triggers", 0, "filter", "payload", "1"],
        ["name"],
        ["no", "such"],
      ]) {
        expect(there.locate(path, at)).toEqual(here.locate(path, at));
        expect(there.valueAt(path, at)).toEqual(here.valueAt(path, at));
      }
    }
    expect(there.locate("not/there.yaml", ["a"])).toEqual({ line: 1, column: 1 });
  });

  test("has the same problems when it is not valid", async () => {
    const tree = treeOf({
      ...FILES,
      "webhooks/ci.yaml": "secretname: X\nsecretname: Y\n",
      "agents/x/agent.md": "x",
    });
    const [there, here] = [await aLoader().load(tree, "source"), await loadDefinition(tree, "source")];
    expect([there.definition, there.problems]).toEqual([undefined, here.problems]);
  });

  test("is asked for the bytes of what has changed, and of a source without a name for all of them", async () => {
    const loader = aLoader();
    const asked: string[][] = [];
    const load = (files: object, name?: string) => {
      const tree = treeOf(files as typeof FILES);
      const read: Tree["read"] = (entries) => {
        asked.push(entries.map(({ path }) => path));
        return tree.read(entries);
      };
      return loader.load({ ...tree, read }, "source", name);
    };
    await load(FACTORY, "one");
    const changed = await load({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK }, "one");
    expect(asked).toEqual([["factory.yaml", "agents/boss/agent.md"], ["webhooks/ci.yaml"]]);
    expect(changed.locate("factory.yaml", ["repositories"])).toEqual({ line: 3, column: 15 });
    await load(FACTORY);
    await load(FACTORY, "another");
    expect(asked.slice(2).map((paths) => paths.length)).toEqual([2, 2]);
  });

  test("that cannot be fetched fails with the reason, and the next one is read", async () => {
    const loader = aLoader();
    const gone = { ...treeOf(FACTORY), read: () => Promise.reject(new Error("the remote is gone")) };
    await expect(loader.load(gone, "source", "one")).rejects.toThrow("the remote is gone");
    expect((await loader.load(treeOf(FACTORY), "source", "one")).problems).toEqual([]);
  });
});

describe("a definition that is made to be slow", () => {
  test.each([undefined, "one"])(
    "is stopped and told what it did (source %s), and the next one is read",
    async (name) => {
      const loader = aLoader({ cpuMs: 200, cpuMsPerMebibyte: 0 });
      const { definition, problems } = await loader.load(treeOf(costlyFiles(40)), "source", name);
      expect(definition).toBeUndefined();
      expect(problems).toEqual([
        {
          code: "FF_INVALID_DOCUMENT",
          message: expect.stringContaining("of CPU time, so it was stopped"),
          path: "factory.yaml",
          line: 1,
          column: 1,
          severity: "error",
        },
      ]);
      expect((await loader.load(treeOf(FACTORY), "source", name)).problems).toEqual([]);
    },
  );

  test("keeps no more than so many waiting: others are asked to come again", async () => {
    const loader = aLoader();
    const loads = Array.from({ length: 20 }, () =>
      loader.load(treeOf(FACTORY), "source").then(
        ({ problems }) => problems.length,
        (error) => error.code,
      ),
    );
    const outcomes = await Promise.all(loads);
    expect(outcomes.filter((outcome) => outcome === 0)).toHaveLength(16);
    expect(outcomes.filter((outcome) => outcome === "service_unavailable")).toHaveLength(4);
  });
});
