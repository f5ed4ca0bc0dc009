import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { preparingServer } from "../../given/preparing.ts";

/** Tells what lies in each skill, and runs what can be executed. */
const LOOK = `
  import { execFileSync } from "node:child_process";
  import { readdirSync, statSync, readFileSync } from "node:fs";
  for (const path of readdirSync("skills", { recursive: true }).sort()) {
    const file = "skills/" + path;
    const { mode } = statSync(file);
    if (statSync(file).isDirectory() || file.endsWith("SKILL.md")) continue;
    const said = mode & 0o100 ? "runs: " + execFileSync(file, { encoding: "utf8" }) : readFileSync(file).toString("hex");
    console.log(path + " " + said.trim());
  }`;

const SCRIPT = "#!/bin/sh\necho done\n";
const BYTES = Buffer.from([0x00, 0xff, 0xfe]);
const FILES = { "SKILL.md": "Do.", "scripts/run.sh": SCRIPT, "data.bin": BYTES, ".hidden": "no" };
const below = (folder: string) =>
  Object.fromEntries(Object.entries(FILES).map(([path, content]) => [`${folder}/${path}`, content]));

test("an agent finds the files next to the SKILL.md of shared skills and its own, and can execute the executable ones", async () => {
  const files = {
    ...below("skills/shared"),
    ...below("agents/boss/skills/own"),
    ...below("skills/shared/inner"),
    "agents/other/agent.md": "---\n---\nYou do something else.\n",
    ...below("agents/other/skills/foreign"),
  };
  const { run, source, story } = await preparingServer(LOOK, { files });
  for (const path of Object.keys(files).filter((path) => path.endsWith(".sh")))
    chmodSync(join(source, path), 0o755);
  await story.sync();
  const { state, transcript } = await run();
  expect(state).toBe("SUCCEEDED");
  expect(transcript.split("\n").filter((line) => /^\w+\//.test(line))).toEqual(
    ["inner", "own", "shared"].flatMap((name) => [
      `${name}/data.bin 00fffe`,
      `${name}/scripts/run.sh runs: done`,
    ]),
  );
});

test("a skill of a repository comes with its folder, without links, and with a word on what is too much", async () => {
  const { run, forge } = await preparingServer(LOOK);
  const tools = forge.repository("acme/tools", {
    ...below(".claude/skills/review"),
    ".claude/skills/review/large.bin": Buffer.alloc(1024 * 1024 + 1),
    ".claude/skills/other/SKILL.md": "Other.",
    "README.md": "No skill's.",
  });
  tools.git("update-index", "--chmod=+x", ".claude/skills/review/scripts/run.sh");
  const link = tools.git("rev-parse", "HEAD:README.md");
  tools.git("update-index", "--add", "--cacheinfo", `120000,${link},.claude/skills/review/link`);
  tools.git("commit", "--quiet", "--message=Mark what is executable");
  tools.git("push", "--quiet", "origin", "HEAD:refs/heads/main");
  const { state, transcript } = await run({ skill: "acme/tools:review" });
  expect(state).toBe("SUCCEEDED");
  expect(transcript.split("\n").filter((line) => line.startsWith("review/"))).toEqual([
    "review/data.bin 00fffe",
    "review/scripts/run.sh runs: done",
  ]);
  expect(transcript).toContain(
    "[millrace: acme/tools:review: the skill is loaded without .claude/skills/review/large.bin: ",
  );
});
