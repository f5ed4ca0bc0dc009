import { expect, test } from "vitest";
import { createForges } from "../../src/forge/forge.ts";

const access = {};

test("owner/repo is on the forge that lists the owner, and else on the first that lists none", () => {
  const forges = createForges([
    { name: "inside", baseUrl: "https://git.example.com", owners: ["acme"], access },
    { name: "github", baseUrl: "https://github.com", access },
  ]);
  expect(forges.locate({ owner: "acme", name: "shop" })).toMatchObject({
    url: "https://git.example.com/acme/shop.git",
  });
  expect(forges.locate({ owner: "nodejs", name: "node" })).toMatchObject({
    url: "https://github.com/nodejs/node.git",
    tokenIn: "the token of forges.github in millrace.yaml",
  });
});

test("a repository without a forge is reported with the setting to add", () => {
  const repository = { owner: "acme", name: "shop" };
  expect(createForges([]).locate(repository)).toMatchObject({
    missing: expect.stringMatching(/acme\/shop.*forges: in millrace\.yaml/),
  });
  const inside = { name: "inside", baseUrl: "https://git.example.com", owners: ["others"], access };
  expect(createForges([inside]).locate(repository)).toMatchObject({
    missing: expect.stringContaining('each of inside lists owners, and none lists "acme"'),
  });
});

test.each([
  ["..", "shop"],
  ["acme", ".."],
  ["acme", "a/b"],
  ["-acme", "shop"],
  ["acme/../..", "shop"],
  ["", "shop"],
  ["acme", "sh op"],
  ["acme", "a..b"],
  ["acme", "x.lock"],
  ["acme", "a.git"],
  ["acme", "a.GIT"],
  ["acme", "a."],
  ["acme", ".hidden"],
  ["acme", ".github.lock"],
  ["acme", ".githubs"],
  ["acme", "shop\n"],
  ["acme", "-shop"],
  [".acme", "shop"],
  ["a..b", "shop"],
  ["acme.git", "shop"],
  ["acme/x.lock/team", "shop"],
  ["acme/", "shop"],
  ["acme//team", "shop"],
  ["acme/-team", "shop"],
])("%j/%j is not a repository name", (owner, name) => {
  const forges = createForges([{ name: "github", baseUrl: "https://github.com", access }]);
  expect(forges.locate({ owner, name })).toMatchObject({
    missing: expect.stringContaining("is not a valid repository name"),
  });
});

test.each([
  ["acme", ".github"],
  ["acme", ".github-private"],
  ["acme", "gitlock"],
  ["acme", "a.github.io"],
  ["acme", "a.lock.js"],
  ["acme/team.one/two", "shop"],
  ["~user", "_x-1.2"],
])("%j/%j is a repository name", (owner, name) => {
  const forges = createForges([{ name: "github", baseUrl: "https://github.com", access }]);
  expect(forges.locate({ owner, name })).toMatchObject({ url: `https://github.com/${owner}/${name}.git` });
});
