import { describe, expect, test } from "vitest";
import { FACTORY, treeOf } from "../../given/definition.ts";
import { costlyFiles, costlyYaml } from "../../given/folder.ts";
import { aLoader } from "../../given/loader.ts";

describe("a definition that is made to be slow", () => {
  test("may take more the larger it is, and no other waits in vain", async () => {
    const loader = aLoader();
    const slow = loader.load(treeOf({ ...FACTORY, "webhooks/w.yaml": costlyYaml() }), "source");
    const quick = loader.load(treeOf(FACTORY), "source");
    expect((await slow).problems.map(({ path }) => path)).toContain("webhooks/w.yaml");
    expect((await quick).problems).toEqual([]);
  });

  test("is stopped when it takes too much memory", async () => {
    const loader = aLoader({ memoryMb: { ofSources: 40, ofSentFiles: 40 } });
    for (const name of [undefined, "one"]) {
      const { problems } = await loader.load(treeOf(costlyFiles(40)), "source", name);
      expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("more memory")]);
      expect((await loader.load(treeOf(FACTORY), "source", name)).problems).toEqual([]);
    }
  });
});
