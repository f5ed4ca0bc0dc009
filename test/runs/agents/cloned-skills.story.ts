import { expect, onTestFinished, test } from "vitest";
import { clonedSkills } from "../../../src/executor/execution/prepare.ts";
import { createForges } from "../../../src/forge/forge.ts";
import { createMirrorCache } from "../../../src/git/mirrors/mirror-cache.ts";
import { findSkill, listRepositorySkills, skillReader } from "../../../src/runs/agents/skills.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { aForge, spyOnGit } from "../../given/repository.ts";

const signal = new AbortController().signal;
const SHOP = { owner: "acme", name: "shop" };
const FILES = {
  ".agents/skills/one/SKILL.md": "One.\n",
  ".agents/skills/one/notes.md": "Notes.\n",
  ".agents/skills/two/SKILL.md": "Two.\n",
  "deep/review/SKILL.md": "Review.\n",
  "src/a.ts": "",
};

/** A fetched mirror of a repository, and what git is asked from then on. */
async function stage() {
  const forge = aForge();
  forge.repository("acme/shop", FILES);
  const forges = createForges([{ name: "home", baseUrl: forge.baseUrl, access: {} }]);
  const remote = forges.locate(SHOP);
  if ("missing" in remote) throw new Error(remote.missing);
  const mirrors = createMirrorCache(temporaryFolder());
  await mirrors.of(remote).refresh(signal);
  const spy = spyOnGit();
  const { PATH } = process.env;
  process.env.PATH = spy.path;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  const listings = () => spy.calls().filter((call) => call.includes("ls-tree"));
  return { remote, mirrors, forges, listings };
}

test("of a cloned repository git lists the folder of its skills alone, once", async () => {
  const { remote, mirrors, listings } = await stage();
  const found = await clonedSkills([{ ...SHOP, remote }], { mirrors, note() {}, signal });
  expect(found.map(({ name, files }) => [name, files.map(({ path }) => path)])).toEqual([
    ["one", ["notes.md"]],
    ["two", []],
  ]);
  expect(listings()).toEqual([expect.stringMatching(/[0-9a-f]{40} \.agents\/skills$/)]);
});

test("of the repository of a skill git lists the folders in which the skill can be", async () => {
  const { mirrors, forges, listings } = await stage();
  const context = { defined: [], repositories: [] };
  for (const spec of ["acme/shop:one", "acme/shop:deep/review"])
    expect(await findSkill(spec, context, { forges, mirrors }, signal)).toMatchObject({
      content: expect.any(String),
    });
  expect(listings()).toEqual([
    expect.stringMatching(/[0-9a-f]{40} \.agents\/skills\/one .* skills\/one$/),
    expect.stringMatching(/[0-9a-f]{40} deep\/review$/),
  ]);
});

test.each([["acme/shop:../x"], ["acme/shop:/etc/x"], ["acme/shop::(glob)**/x"], ["acme/shop:a//b"]])(
  "%s is not a skill, and the error says so",
  async (spec) => {
    const { mirrors, forges } = await stage();
    const finding = findSkill(spec, { defined: [], repositories: [] }, { forges, mirrors }, signal);
    await expect(finding).rejects.toThrow(/was not found on the default branch/);
  },
);

test("for the list of a repository's skills git lists the folders that have some", async () => {
  const { mirrors, forges, listings } = await stage();
  const listed = await listRepositorySkills(SHOP, { forges, mirrors }, { refresh: false, signal });
  expect(listed.map(({ name }) => name)).toEqual(["one", "two"]);
  expect(listings()).toEqual([expect.stringMatching(/[0-9a-f]{40} \.agents\/skills .* skills$/)]);
});

test("the tree of a repository is looked through once, however many skills are read of it", async () => {
  const { remote, mirrors } = await stage();
  const tree = await mirrors.of(remote).readHead(signal);
  let looks = 0;
  const counted = {
    ...tree,
    get entries() {
      looks += 1;
      return tree.entries;
    },
  };
  const read = skillReader(counted);
  await read("acme/shop:one", "one");
  const once = looks;
  await read("acme/shop:two", "two");
  await read("acme/shop:deep/review", "deep/review");
  expect(looks).toBe(once);
});
