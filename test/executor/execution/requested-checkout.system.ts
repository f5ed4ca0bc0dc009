import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { preparingServer } from "../../given/executing.ts";
import { agentWith } from "../../given/family.ts";
import { runGit } from "../../given/repository.ts";

/** The foreman calls what its prompt says; whoever it starts tells where its clone is. */
const AGENT = `
  import { execFileSync, spawnSync } from "node:child_process";
  import { readFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8");
  const [, command] = /^CALL (.*)$/m.exec(prompt) ?? [];
  if (command) {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    console.log("status=" + status, stdout + stderr);
  } else {
    const git = (...args) => execFileSync("git", args, { cwd: "shop", encoding: "utf8" }).trim();
    console.log("branch=" + git("branch", "--show-current"), "subject=" + git("log", "-1", "--format=%s"));
  }`;

/** A repository with a branch, a tag, the head of a pull request, and a branch that has the name of a tag. */
const stage = sharedByFile(async () => {
  const given = await preparingServer(AGENT, {
    files: { "agents/coder/agent.md": agentWith("agentType: IMPLEMENT") },
  });
  const { repository, server, story } = given;
  const main = repository.git("rev-parse", "HEAD");
  const push = (message: string, ...refs: string[]) => {
    repository.reset(main);
    const commit = repository.push({ "work.txt": message }, { message, branch: "scratch", force: true });
    repository.git("push", "--quiet", "--force", "origin", ...refs.map((ref) => `${commit}:${ref}`));
    return commit;
  };
  const topic = push("On the topic", "refs/heads/topic");
  const earlier = push("Released", "refs/tags/v1", "refs/tags/both");
  push("Branch of both", "refs/heads/both");
  push("Requested", "refs/pull/7/head");
  repository.git("push", "--quiet", "origin", ":refs/heads/scratch");
  /** Creates a run with an API key. @returns how it ended, with what it wrote */
  const at = (checkout: object) => given.run({ checkout });
  /** Lets the foreman start the coder with these options. @returns the output of the command, and the run that it started */
  const started = async (options: string) => {
    const command = `millrace agent start coder --prompt Look. --json ${options}`;
    const { transcript, run_id } = await given.run({ prompt: `CALL ${command}` });
    const child = /"run_id": ?"([^"]+)"/.exec(transcript)?.[1];
    if (!child) return { transcript };
    const run = await story.ended(child);
    return { transcript, run: { ...run, parent: run_id, transcript: await story.transcript(child) } };
  };
  return { ...given, server, topic, earlier, at, started };
});

describe("a run that is created at a ref finds its repository there", () => {
  test("on a branch, which its own branch of that name follows", async () => {
    const { at, topic } = stage();
    const run = await at({ ref: "topic" });
    expect(run.transcript).toContain("branch=topic subject=On the topic");
    expect(run.transcript).toContain(`shop is at commit ${topic.slice(0, 12)} of refs/heads/topic`);
    expect(run).toMatchObject({ state: "SUCCEEDED", checkout: { repository: "acme/shop", ref: "topic" } });
  });

  test.each([
    ["refs/heads/topic", "branch=topic subject=On the topic"],
    ["v1", "branch= subject=Released"],
    ["both", "branch=both subject=Branch of both"],
    ["refs/tags/both", "branch= subject=Released"],
    ["refs/pull/7/head", "branch= subject=Requested"],
  ])("at %s", async (ref, expected) => {
    const { transcript } = await stage().at({ ref, repository: "Acme/Shop" });
    expect(transcript).toContain(expected);
  });

  test("at a commit, also by the beginning of its hash", async () => {
    const { at, topic, earlier } = stage();
    expect((await at({ ref: topic })).transcript).toContain("branch= subject=On the topic");
    expect((await at({ ref: earlier.slice(0, 9) })).transcript).toContain("branch= subject=Released");
  });
});

test.each(["gone", "refs/heads/gone", "refs/pull/8/head", "1".repeat(40)])(
  "a run at %s, which does not exist, ends FAILED and names it",
  async (ref) => {
    expect(await stage().at({ ref })).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringMatching(new RegExp(`acme/shop cannot be checked out at "${ref}".*${ref}`)),
      },
    });
  },
);

test.each([
  "--upload-pack=touch /tmp/x",
  "-q",
  "../..",
  "topic..main",
  "refs/heads/../../config",
  "+refs/heads/main:refs/heads/topic",
  "refs/heads/*",
  "main^{/x}",
  "@{-1}",
  "topic\nmain",
  "",
])("the ref %j is refused before there is a run", async (ref) => {
  const { server } = stage();
  const body = { prompt: "Look.", checkout: { ref } };
  expect(await ask(server, "POST", "/agent/runs", { body })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining("checkout.ref") },
  });
});

test("a full name whose end would be an option of git names nothing", async () => {
  const { at, repository } = stage();
  runGit(repository.url, "update-ref", "refs/heads/--detach", "refs/heads/topic");
  expect(await at({ ref: "refs/heads/--detach" })).toMatchObject({
    state: "FAILED",
    status_message: { message: expect.stringContaining("refs/heads/--detach") },
  });
});

test("a request names the repository if the run has several, and one that the run has", async () => {
  const { server, environment, forge } = stage();
  forge.repository("acme/other");
  const ofTwo = await environment({
    github_repos: ["shop", "other"].map((repo) => ({ owner: "acme", repo })),
  });
  const ofNone = await environment({ name: "empty", github_repos: [] });
  const asked = async (checkout: object, environment_id?: string) => {
    const config = environment_id === undefined ? {} : { config: { environment_id } };
    const body = { prompt: "Look.", checkout, ...config };
    const answer = await ask(server, "POST", "/agent/runs", { body });
    return [answer.status, answer.body.detail];
  };
  expect(await asked({ ref: "topic" }, ofTwo)).toEqual([
    400,
    expect.stringContaining("checkout.repository: missing; expected one of acme/shop, acme/other"),
  ]);
  expect(await asked({ ref: "topic", repository: "acme/secret" })).toEqual([
    400,
    expect.stringContaining('"acme/secret" is not a repository of the run; expected one of acme/shop'),
  ]);
  expect(await asked({ ref: "topic" }, ofNone)).toEqual([
    400,
    expect.stringContaining("the run would have no repository to check out"),
  ]);
});

describe("an agent that starts another one at a ref", () => {
  test("has it work there, and its prompt stays as it is", async () => {
    const { run } = await stage().started("--ref topic --repository acme/shop");
    expect(run?.transcript).toContain("branch=topic subject=On the topic");
    expect(run).toMatchObject({ parent_run_id: run?.parent, prompt: "Look.", metadata: {} });
  });

  test("is told what a ref is when it names something else", async () => {
    const { transcript } = await stage().started("--ref=--upload-pack=x");
    expect(transcript).toMatch(/status=1 .*checkout\.ref: "--upload-pack=x" cannot be the name of a branch/s);
    const alone = await stage().started("--repository acme/shop");
    expect(alone.transcript).toMatch(/status=[12] .*--repository is only valid with --ref/s);
  });
});

test("a run that is run again is at the same ref", async () => {
  const { at, server, story } = stage();
  const { run_id } = await at({ ref: "topic" });
  const again = await ask<{ run_id: string }>(server, "POST", `/agent/runs/${run_id}/run-again`);
  await story.ended(again.body.run_id);
  expect(await story.transcript(again.body.run_id)).toContain("branch=topic subject=On the topic");
});
