import { describe, expect, test } from "vitest";
import { type LoadCache, loadDefinition } from "../../../src/definitions/loading/load.ts";
import { TREE_LIMITS } from "../../../src/definitions/loading/load-file.ts";
import type { Tree } from "../../../src/git/revision.ts";
import { FACTORY, TOKEN_WEBHOOK, treeOf, withWebhook } from "../../given/definition.ts";

describe("what a tree is made of", () => {
  const problems = async (tree: Tree) =>
    (await loadDefinition(tree, "source")).problems
      .filter(({ severity }) => severity === "error")
      .map(({ code, path, line, column }) => `${code} ${path}:${line}:${column}`);

  test("a file of 256 KiB is read, one byte more is a problem", async () => {
    const padded = (size: number) => `${TOKEN_WEBHOOK}#${"x".repeat(size - TOKEN_WEBHOOK.length - 1)}`;
    expect(await problems(treeOf(withWebhook(padded(TREE_LIMITS.fileBytes))))).toEqual([]);
    expect(await problems(treeOf(withWebhook(padded(TREE_LIMITS.fileBytes + 1))))).toEqual([
      "FF_INVALID_DOCUMENT webhooks/w.yaml:1:1",
    ]);
  });

  test("a file of 10 MB is refused by its size, without being read", async () => {
    const tree = treeOf(FACTORY, [{ path: "webhooks/w.yaml", size: 10_000_000, id: "big" }]);
    const asked: string[] = [];
    const watched = noting(tree, asked);
    expect(await problems(watched)).toEqual(["FF_INVALID_DOCUMENT webhooks/w.yaml:1:1"]);
    expect(asked).not.toContain("webhooks/w.yaml");
  });

  test("more than 10,000 files are a problem of the whole tree", async () => {
    const files = Array.from({ length: 10_000 }, (_, index) => ({ path: `other/${index}` }));
    expect(await problems(treeOf({ "webhooks/w.yaml": TOKEN_WEBHOOK }, files.slice(1)))).toEqual([]);
    expect(await problems(treeOf({ "webhooks/w.yaml": TOKEN_WEBHOOK }, files))).toEqual([
      "FF_INVALID_DOCUMENT factory.yaml:1:1",
    ]);
  });

  test("more than 64 MiB are a problem of the whole tree", async () => {
    const big = { path: "other/big.bin", size: TREE_LIMITS.bytes };
    expect(await problems(treeOf(FACTORY, [big]))).toEqual(["FF_INVALID_DOCUMENT factory.yaml:1:1"]);
  });

  test.each(["webhooks/w.yaml", "webhooks", "agents/linked"])(
    "a symlink at %s is refused, not followed",
    async (path) => {
      expect(await problems(treeOf(FACTORY, [{ path, kind: "symlink" }]))).toEqual([
        `FF_INVALID_DOCUMENT ${path}:1:1`,
      ]);
    },
  );

  test("a submodule where definitions are is refused", async () => {
    const tree = treeOf(FACTORY, [{ path: "webhooks", kind: "submodule" }]);
    expect(await problems(tree)).toEqual(["FF_INVALID_DOCUMENT webhooks:1:1"]);
  });

  test("links and submodules elsewhere are none of ours", async () => {
    const tree = treeOf(FACTORY, [
      { path: "docs/link", kind: "symlink" },
      { path: "vendor/x", kind: "submodule" },
    ]);
    expect(await problems(tree)).toEqual([]);
  });

  test("a file that is not UTF-8 is a problem, and so is one with a NUL", async () => {
    expect(
      await problems(treeOf({ ...FACTORY, "webhooks/w.yaml": Buffer.from([0x73, 0xff, 0xfe]) })),
    ).toEqual(["FF_INVALID_DOCUMENT webhooks/w.yaml:1:1"]);
    expect(await problems(treeOf(withWebhook('secretName: "a\0b"\n')))).toEqual([
      "FF_INVALID_DOCUMENT webhooks/w.yaml:1:1",
    ]);
  });

  test("a text that is written with the escape of a NUL or of half a character is a problem at its place", async () => {
    const hook = (value: string) => treeOf(withWebhook(`authMode: bearer\nsecretName: "a${value}b"\n`));
    for (const value of ["\\0", "\\x00", "\\ud800"])
      expect(await problems(hook(value))).toEqual(["FF_INVALID_VALUE webhooks/w.yaml:2:13"]);
    expect(await problems(treeOf(withWebhook('"a\\0": 1\nsecretName: A\n')))).toEqual([
      "FF_INVALID_VALUE webhooks/w.yaml:1:1",
    ]);
  });

  test("one byte order mark at the start of a file is dropped", async () => {
    const bom = "\uFEFF";
    expect(await problems(treeOf(withWebhook(bom + TOKEN_WEBHOOK)))).toEqual([]);
    expect(
      await problems(
        treeOf({ ...FACTORY, "agents/boss/agent.md": `${bom}${FACTORY["agents/boss/agent.md"]}` }),
      ),
    ).toEqual([]);
  });

  test("an unchanged file is not read again", async () => {
    const cache: LoadCache = new Map();
    const asked: string[] = [];
    await loadDefinition(noting(treeOf(withWebhook(TOKEN_WEBHOOK)), asked), "source", cache);
    expect(asked.sort()).toEqual(["agents/boss/agent.md", "factory.yaml", "webhooks/w.yaml"]);
    asked.length = 0;
    const again = await loadDefinition(
      noting(treeOf(withWebhook("secretName: OTHER\n")), asked),
      "source",
      cache,
    );
    expect(asked).toEqual(["webhooks/w.yaml"]);
    expect(again.definition?.webhooks[0]?.secretName).toBe("OTHER");
  });
});

/** A tree that notes which files are read. */
function noting(tree: Tree, asked: string[]): Tree {
  return {
    ...tree,
    read(entries) {
      asked.push(...entries.map(({ path }) => path));
      return tree.read(entries);
    },
  };
}
