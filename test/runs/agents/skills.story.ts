import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TOLD_OF_COMMAND } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationWith, signatureWebhook } from "../../given/definition.ts";
import { preparingServer } from "../../given/executing.ts";
import { githubExample } from "../../given/github.ts";
import { hmacOf, post, SIGNING_SECRET } from "../../given/sender.ts";

const RELEASE = ".agents/skills/release/SKILL.md";

/** Says what it got, what lies in each skill, and what the release skill of its clone says; runs what can be executed. */
const AGENT = `
  import { execFileSync } from "node:child_process";
  import { readdirSync, readFileSync, statSync } from "node:fs";
  console.log("prompt:\\n" + readFileSync("prompt.md", "utf8"));
  for (const name of readdirSync("skills")) console.log(name + ": " + readFileSync(\`skills/\${name}/SKILL.md\`, "utf8"));
  for (const path of readdirSync("skills", { recursive: true }).sort()) {
    const file = "skills/" + path;
    const { mode } = statSync(file);
    if (statSync(file).isDirectory() || file.endsWith("SKILL.md")) continue;
    const said = mode & 0o100 ? "runs: " + execFileSync(file, { encoding: "utf8" }) : readFileSync(file).toString("hex");
    console.log(path + " " + said.trim());
  }
  console.log("mcp: " + readFileSync("mcp.json", "utf8"));
  console.log("head: " + readFileSync("shop/${RELEASE}", "utf8"));`;

const skill = (text: string) => `---\nname: any\ndescription: How to.\n---\n${text}\n`;

const SCRIPT = "#!/bin/sh\necho done\n";
const BYTES = Buffer.from([0x00, 0xff, 0xfe]);
const FILES = { "SKILL.md": "Do.", "scripts/run.sh": SCRIPT, "data.bin": BYTES, ".hidden": "no" };
const below = (folder: string) =>
  Object.fromEntries(Object.entries(FILES).map(([path, content]) => [`${folder}/${path}`, content]));

const NAMED = [
  ["acme/tools:review", ".agents/skills/review/SKILL.md"],
  ["acme/tools:check", ".claude/skills/check/SKILL.md"],
  ["acme/tools:plain", "skills/plain/SKILL.md"],
  ["acme/tools:deep/down/first", "deep/down/first/SKILL.md"],
  ["acme/tools:deep/down/second/SKILL.md", "deep/down/second/SKILL.md"],
  ["shop:triage", ".agents/skills/triage/SKILL.md"],
] as const;

/** The skills of these places that a repository has, each with a text of its own. */
const namedOf = (repository: string) =>
  Object.fromEntries(
    NAMED.filter(([spec]) => spec.startsWith(repository)).map(([spec, path]) => [path, skill(`As ${spec}.`)]),
  );

/** The definition and the repositories of all tests. */
const shared = sharedByFile(async () => {
  const definition = {
    "skills/deploy/SKILL.md": skill("Shared deploy."),
    "skills/test/SKILL.md": skill("Shared test."),
    "agents/boss/agent.md":
      "---\nagentType: FOREMAN\nmcpServers: { wiki: { warpId: w } }\n---\nYou do the work.\n",
    "agents/boss/skills/test/SKILL.md": skill("Own test."),
    "agents/other/agent.md": "---\n---\nYou do something else.\n",
    "agents/other/skills/secret/SKILL.md": skill("Not for the boss."),
    ...below("skills/shared"),
    ...below("skills/shared/inner"),
    ...below("agents/boss/skills/own"),
    ...below("agents/other/skills/foreign"),
    "webhooks/github.yaml": signatureWebhook("github", "HUB"),
    "automations/a.md": automationWith("triggers: [{ provider: github, event: pull_request_opened }]\n"),
  };
  const shop = {
    ...namedOf("shop"),
    ".agents/skills/deploy/SKILL.md": skill("Deploy of the shop."),
    [RELEASE]: skill("Release of the shop."),
    ".agents/skills/huge/SKILL.md": "x".repeat(300_000),
    ".claude/skills/other/SKILL.md": skill("For one program only."),
  };
  const given = await preparingServer(AGENT, { files: definition, shop });
  for (const path of Object.keys(definition).filter((path) => path.endsWith(".sh")))
    chmodSync(join(given.source, path), 0o755);
  await given.story.setSecret("HUB", SIGNING_SECRET);
  await given.story.sync();
  given.forge.repository("acme/tools", {
    ...namedOf("acme/tools"),
    ".agents/skills/one/SKILL.md": skill("The right one."),
    ".claude/skills/one/SKILL.md": skill("The wrong one."),
    "skills/two/SKILL.md": skill("To be read."),
  });
  return given;
});

const [executable, bytes] = ["runs: done", "00fffe"];
const filesIn = (transcript: string) => transcript.split("\n").filter((line) => /^\w+\//.test(line));

test("an agent finds the skills of its definition, its own, which win, and those of its repositories as they are by default", async () => {
  const { state, transcript } = await shared().run();
  expect(state).toBe("SUCCEEDED");
  const [skills = ""] = transcript.split("mcp: ");
  for (const found of ["Shared deploy.", "Own test.", "Release of the shop."])
    expect(skills).toContain(found);
  for (const other of ["Shared test.", "Not for the boss.", "Deploy of the shop.", "For one program only."])
    expect(skills).not.toContain(other);
  expect(transcript).toMatch(/the skill huge was skipped: .*is 300000 bytes/);
  // Files next to a SKILL.md come with it.
  expect(filesIn(skills)).toEqual(
    ["inner", "own", "shared"].flatMap((name) => [
      `${name}/data.bin ${bytes}`,
      `${name}/scripts/run.sh ${executable}`,
    ]),
  );
});

test("a run of a pull request is checked out at its head, and its skills are those of the default branch", async () => {
  const { story, repository } = shared();
  const main = repository.git("rev-parse", "HEAD");
  const sha = repository.push({ [RELEASE]: skill("Do harm.") }, { branch: "gone" });
  repository.git("push", "--quiet", "origin", `${sha}:refs/pull/7/head`, ":refs/heads/gone");
  repository.reset(main);
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
  const { state, transcript, agent_config } = await shared().run({ prompt: "Now.", skill: "deploy" });
  expect([state, agent_config?.name]).toEqual(["SUCCEEDED", "deploy"]);
  expect(transcript).toContain(`prompt:\n${TOLD_OF_COMMAND}You do the work.\n\nShared deploy.\n\nNow.\n`);
});

test.each(NAMED)("a skill of a repository, named %s, is found at %s", async (spec, path) => {
  const { status_message, transcript } = await shared().run({ skill: spec, prompt: "Now." });
  expect(status_message?.message).toBeUndefined();
  expect(transcript).toContain(`You do the work.\n\nAs ${spec}.\n\nNow.\n`);
  expect(transcript).toContain(`${path.split("/").at(-2)}: ---\nname: any`);
});

test("the first place that has a skill wins, and the first of several skills is the prompt's", async () => {
  const config = { skills: ["acme/tools:one", "acme/tools:two"] };
  const { transcript } = await shared().run({ prompt: "Now.", config });
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
  ["acme/nowhere:x", /The repository does not exist/],
  ["elsewhere:x", /"elsewhere" without its owner, and none of the run's repositories/],
  ["../..:x", /is not a valid repository name/],
  ["unknown", /does not provide a skill "unknown" .* \(available: deploy, /],
])("a run whose skill is %s fails with where it was looked for", async (spec, message) => {
  const { state, status_message } = await shared().run({ skill: spec });
  expect([state, status_message]).toEqual([
    "FAILED",
    { error_code: "environment_setup_failed", message: expect.stringMatching(message), retryable: false },
  ]);
});

test("mcp.json has the servers of the request, and says which another service alone knows", async () => {
  const { run } = shared();
  const local = { command: "false", args: ["-y", "server"], env: { LEVEL: "1" } };
  const remote = { url: "https://mcp.example.com", headers: { "x-a": "b" } };
  const { transcript } = await run({ config: { mcp_servers: { local, remote, far: { warp_id: "x" } } } });
  const [, written = ""] = transcript.split(/^(?:mcp|head): /m);
  expect(JSON.parse(written)).toEqual({
    mcpServers: { local, remote: { type: "http", ...remote }, millrace: expect.anything() },
  });
  expect(transcript).toContain("does not contain the server far");
  expect((await run()).transcript).toContain(
    "[millrace: mcp.json does not contain the server wiki: its warp_id is not known to this server]",
  );
});

test("a skill of a repository comes with its folder, without links, and with a word on what is too much", async () => {
  const { run, forge } = shared();
  const tools = forge.repository("acme/files", {
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
  const { state, transcript } = await run({ skill: "acme/files:review" });
  expect(state).toBe("SUCCEEDED");
  expect(filesIn(transcript).filter((line) => line.startsWith("review/"))).toEqual([
    `review/data.bin ${bytes}`,
    `review/scripts/run.sh ${executable}`,
  ]);
  expect(transcript).toContain(
    "[millrace: acme/files:review: the skill is loaded without .claude/skills/review/large.bin: ",
  );
});
