import { expect, test } from "vitest";
import { type LoadCache, loadDefinition } from "../../../src/definitions/loading/load.ts";
import { SKILL_LIMITS } from "../../../src/definitions/skill.ts";
import { FACTORY, load, treeOf } from "../../given/definition.ts";
import type { Files } from "../../given/folder.ts";

/** The skills of a tree as their paths and the paths of their files, and what is said about them. */
async function skillsOf(files: Files, special: Parameters<typeof treeOf>[1] = []) {
  const { definition, problems } = await loadDefinition(treeOf({ ...FACTORY, ...files }, special), "source");
  return {
    skills: Object.fromEntries(
      (definition?.skills ?? []).map(({ path, files = [] }) => [path, files.map((file) => file.path)]),
    ),
    warnings: problems
      .filter(({ severity }) => severity === "warning")
      .map(({ path, message }) => `${path}: ${message}`),
    errors: problems.filter(({ severity }) => severity === "error"),
  };
}

test("what lies in the folder of a skill belongs to it, and to the nearest one where one is in another", async () => {
  const { skills, warnings } = await skillsOf({
    "skills/deploy/SKILL.md": "Deploy.",
    "skills/deploy/scripts/run.sh": "#!/bin/sh\n",
    "skills/deploy/agent.md": "No agent.",
    "skills/deploy/canary/SKILL.md": "Canary.",
    "skills/deploy/canary/steps.md": "Steps.",
    "skills/loose.md": "No skill's.",
    "agents/boss/skills/own/SKILL.md": "Own.",
    "agents/boss/skills/own/data.json": "{}",
  });
  expect(skills).toEqual({
    "skills/deploy/SKILL.md": ["scripts/run.sh", "agent.md"],
    "skills/deploy/canary/SKILL.md": ["steps.md"],
    "agents/boss/skills/own/SKILL.md": ["data.json"],
  });
  expect(warnings).toEqual([]);
});

test("files of a skill are stored byte for byte, and executable files stay executable", async () => {
  const tree = treeOf({
    ...FACTORY,
    "skills/s/SKILL.md": "Do.",
    "skills/s/a.bin": Buffer.from([0, 255, 254]),
    "skills/s/b.txt": "\uFEFFtext\0",
    "skills/s/c.sh": "#!/bin/sh\n",
  });
  const entries = tree.entries.map((entry) =>
    entry.path.endsWith("c.sh") ? { ...entry, executable: true as const } : entry,
  );
  const { definition } = await loadDefinition({ ...tree, entries }, "source");
  expect(definition?.skills[0]?.files).toEqual([
    { path: "a.bin", content: "AP/+", encoding: "base64" },
    { path: "b.txt", content: "\uFEFFtext\0" },
    { path: "c.sh", content: "#!/bin/sh\n", executable: true },
  ]);
});

test("a skill without other files is what it was before they were taken", async () => {
  const { definition } = await load({ ...FACTORY, "skills/s/SKILL.md": "Do." });
  expect(definition?.skills).toEqual([{ path: "skills/s/SKILL.md", name: "s", content: "Do." }]);
});

test("hidden files, links and submodules of a skill are left out; the last two with a warning", async () => {
  const { skills, warnings, errors } = await skillsOf(
    {
      "skills/s/SKILL.md": "Do.",
      "skills/s/.env": "A=1",
      "skills/s/node_modules/a.js": "",
      "skills/s/a.md": "A.",
    },
    [
      { path: "skills/s/link", kind: "symlink" },
      { path: "skills/s/sub", kind: "submodule" },
    ],
  );
  expect(skills).toEqual({ "skills/s/SKILL.md": ["a.md"] });
  expect(warnings).toEqual([
    expect.stringMatching(/^skills\/s\/link: is a symbolic link/),
    expect.stringMatching(/^skills\/s\/sub: is a submodule/),
  ]);
  expect(errors).toEqual([]);
});

test("more files than a skill may have, or larger ones, are left out with a warning at the skill", async () => {
  const many = Object.fromEntries(
    Array.from({ length: SKILL_LIMITS.files + 2 }, (_, index) => [`skills/many/${1000 + index}.md`, "x"]),
  );
  const { skills, warnings } = await skillsOf({
    "skills/many/SKILL.md": "Do.",
    ...many,
    "skills/large/SKILL.md": "Do.",
    "skills/large/large.bin": Buffer.alloc(SKILL_LIMITS.bytes + 1),
    "skills/large/small.md": "x",
  });
  expect(skills["skills/many/SKILL.md"]).toHaveLength(SKILL_LIMITS.files);
  expect(skills["skills/large/SKILL.md"]).toEqual(["small.md"]);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^skills\/large\/SKILL.md: .* without skills\/large\/large.bin: the limit for a skill is/,
    ),
    expect.stringMatching(/^skills\/many\/SKILL.md: .* without skills\/many\/1100.md and 1 more: /),
  ]);
});

test("a file of a skill that has not changed is not read again, also when its mode has", async () => {
  const cache: LoadCache = new Map();
  const tree = treeOf({ ...FACTORY, "skills/s/SKILL.md": "Do.", "skills/s/a.sh": "#!/bin/sh\n" });
  await loadDefinition(tree, "source", cache);
  const entries = tree.entries.map((entry) =>
    entry.path.endsWith("a.sh") ? { ...entry, executable: true as const } : entry,
  );
  const asked: string[] = [];
  const read: typeof tree.read = (wanted) => {
    asked.push(...wanted.map(({ path }) => path));
    return tree.read(wanted);
  };
  const { definition } = await loadDefinition({ ...tree, entries, read }, "source", cache);
  expect(asked).toEqual([]);
  expect(definition?.skills[0]?.files?.[0]?.executable).toBe(true);
});
