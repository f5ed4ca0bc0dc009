import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TOLD_OF_COMMAND } from "../../given/agent.ts";
import { automationWith, signatureWebhook } from "../../given/definition.ts";
import { githubExample } from "../../given/github.ts";
import { preparingServer } from "../../given/preparing.ts";
import { hmacOf, post, SIGNING_SECRET } from "../../given/sender.ts";

const READ = `
  import { readdirSync, readFileSync } from "node:fs";
  console.log("prompt:\\n" + readFileSync("prompt.md", "utf8"));
  try {
    for (const name of readdirSync("skills")) console.log(name + ": " + readFileSync(\`skills/\${name}/SKILL.md\`, "utf8"));
  } catch { console.log("no skills"); }
  console.log("mcp: " + readFileSync("mcp.json", "utf8"));`;

const skill = (text: string) => `---\nname: any\ndescription: How to.\n---\n${text}\n`;

test("an agent finds the shared skills of its definition and its own, which win", async () => {
  const { run } = await preparingServer(READ, {
    files: {
      "skills/deploy/SKILL.md": skill("Shared deploy."),
      "skills/test/SKILL.md": skill("Shared test."),
      "agents/boss/skills/test/SKILL.md": skill("Own test."),
      "agents/other/agent.md": "---\n---\nYou do something else.\n",
      "agents/other/skills/secret/SKILL.md": skill("Not for the boss."),
    },
  });
  const { transcript } = await run();
  expect(transcript).toContain("Shared deploy.");
  expect(transcript).toContain("Own test.");
  expect(transcript).not.toContain("Shared test.");
  expect(transcript).not.toContain("Not for the boss.");
});

test("an agent finds the .agents/skills of its repositories as they are by default; those of its definition win", async () => {
  const shop = {
    ".agents/skills/test/SKILL.md": skill("Test of the shop."),
    ".agents/skills/release/SKILL.md": skill("Release of the shop."),
    ".agents/skills/huge/SKILL.md": "x".repeat(300_000),
    ".claude/skills/other/SKILL.md": skill("For one program only."),
  };
  const { run } = await preparingServer(READ, {
    shop,
    files: { "skills/test/SKILL.md": skill("Shared test.") },
  });
  const { state, transcript } = await run();
  expect(state).toBe("SUCCEEDED");
  expect(transcript).toContain("Release of the shop.");
  expect(transcript).toContain("Shared test.");
  expect(transcript).toMatch(/the skill huge was skipped: .*is 300000 bytes/);
  for (const other of ["Test of the shop.", "For one program only."]) expect(transcript).not.toContain(other);
});

test("a run of a pull request is checked out at its head, and its skills are those of the default branch", async () => {
  const release = ".agents/skills/release/SKILL.md";
  const looks = `${READ}\nconsole.log("head: " + readFileSync("shop/${release}", "utf8"));`;
  const { story, repository } = await preparingServer(looks, {
    shop: { [release]: skill("Release of the shop.") },
    files: {
      "webhooks/github.yaml": signatureWebhook("github", "HUB"),
      "automations/a.md": automationWith("triggers: [{ provider: github, event: pull_request_opened }]\n"),
    },
  });
  const main = repository.git("rev-parse", "HEAD");
  const sha = repository.push({ [release]: skill("Do harm.") }, { branch: "gone" });
  repository.git("push", "--quiet", "origin", `${sha}:refs/pull/7/head`, ":refs/heads/gone");
  repository.reset(main);
  await story.setSecret("HUB", SIGNING_SECRET);
  await story.sync();
  const { payload } = githubExample("pull_request", "opened", {
    ...{ number: 7, repository: { full_name: "acme/shop" }, pull_request: { number: 7, head: { sha } } },
  });
  const body = JSON.stringify(payload);
  const headers = { "x-hub-signature-256": `sha256=${hmacOf(body)}`, "x-github-event": "pull_request" };
  const answer = await post(await story.urlOf("github"), body, headers);
  const { delivery_id } = (await answer.json()) as { delivery_id: string };
  const transcript = await story.transcript((await story.endedRunOf(delivery_id)).run_id);
  const [skills = "", head = ""] = transcript.split("head: ");
  expect(head).toContain("Do harm.");
  expect(skills).toContain("Release of the shop.");
  expect(skills).not.toContain("Do harm.");
});

test("the text of a skill of the definition stands between the agent's prompt and the request", async () => {
  const { run } = await preparingServer(READ, {
    files: { "skills/deploy/SKILL.md": skill("Deploy like this.") },
  });
  const { state, transcript, agent_config } = await run({ prompt: "Now.", skill: "deploy" });
  expect([state, agent_config?.name]).toEqual(["SUCCEEDED", "deploy"]);
  expect(transcript).toContain(`prompt:\n${TOLD_OF_COMMAND}You do the work.\n\nDeploy like this.\n\nNow.\n`);
});

test.each([
  ["acme/tools:review", ".agents/skills/review/SKILL.md"],
  ["acme/tools:review", ".claude/skills/review/SKILL.md"],
  ["acme/tools:review", "skills/review/SKILL.md"],
  ["acme/tools:deep/down/review", "deep/down/review/SKILL.md"],
  ["acme/tools:deep/down/review/SKILL.md", "deep/down/review/SKILL.md"],
  ["shop:review", ".agents/skills/review/SKILL.md"],
])("a skill of a repository, named %s, is found at %s", async (spec, path) => {
  const files = { [path]: skill("Review like this.") };
  const { run, forge } = await preparingServer(READ, { shop: files });
  forge.repository("acme/tools", files);
  const { status_message, transcript } = await run({ skill: spec, prompt: "Now." });
  expect(status_message?.message).toBeUndefined();
  expect(transcript).toContain("You do the work.\n\nReview like this.\n\nNow.\n");
  expect(transcript).toContain("review: ---\nname: any");
});

test("the first place that has a skill wins, and the first of several skills is the prompt's", async () => {
  const { run, forge } = await preparingServer(READ);
  forge.repository("acme/tools", {
    ".agents/skills/one/SKILL.md": skill("The right one."),
    ".claude/skills/one/SKILL.md": skill("The wrong one."),
    "skills/two/SKILL.md": skill("To be read."),
  });
  const { transcript } = await run({
    prompt: "Now.",
    config: { skills: ["acme/tools:one", "acme/tools:two"] },
  });
  expect(transcript).toContain("You do the work.\n\nThe right one.\n\nNow.\n");
  expect(transcript).toContain("two: ---\n");
  expect(transcript).not.toContain("The wrong one.");
});

test.each([
  [
    "acme/tools:none",
    /Skill acme\/tools:none was not found .* Searched: .*\.agents\/skills\/none\/SKILL\.md, \.warp/,
  ],
  ["acme/tools:a/none", /was not found on the default branch\. Searched: a\/none\/SKILL\.md/],
  ["acme/tools:linked", /Skill acme\/tools:linked was not found/],
  ["acme/nowhere:x", /The repository does not exist/],
  ["elsewhere:x", /"elsewhere" without its owner, and none of the run's repositories/],
  ["../..:x", /is not a valid repository name/],
  ["unknown", /does not provide a skill "unknown" .* \(available: deploy\)/],
])("a run whose skill is %s fails with where it was looked for", async (spec, message) => {
  const { run, forge } = await preparingServer(READ, {
    files: { "skills/deploy/SKILL.md": skill("Deploy.") },
  });
  forge.repository("acme/tools", { "skills/other/SKILL.md": skill("Other.") });
  const { state, status_message } = await run({ skill: spec });
  expect([state, status_message]).toEqual([
    "FAILED",
    { error_code: "environment_setup_failed", message: expect.stringMatching(message), retryable: false },
  ]);
});

test("mcp.json has the servers of the request, and says which another service alone knows", async () => {
  const { run } = await preparingServer(READ, {
    files: { "agents/boss/agent.md": "---\nagentType: FOREMAN\nmcpServers: { wiki: { warpId: w } }\n---\n" },
  });
  expect((await run()).transcript).toContain(
    "[millrace: mcp.json does not contain the server wiki: its warp_id is not known to this server]",
  );
  const local = { command: "npx", args: ["-y", "server"], env: { LEVEL: "1" } };
  const remote = { url: "https://mcp.example.com", headers: { "x-a": "b" } };
  const { transcript } = await run({ config: { mcp_servers: { local, remote, far: { warp_id: "x" } } } });
  const written = transcript.slice(transcript.indexOf("mcp: ") + 5);
  expect(JSON.parse(written)).toEqual({
    mcpServers: { local, remote: { type: "http", ...remote }, millrace: expect.anything() },
  });
  expect(transcript).toContain("does not contain the server far");
});

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
