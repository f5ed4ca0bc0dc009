import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { type Files, folderWith, temporaryFolder } from "../given/folder.ts";
import { REPOSITORY } from "../given/github-stand-in.ts";
import { freePort } from "../given/port.ts";
import { pullPayload, pullRequestStage } from "../given/pull-requests.ts";
import { filesWithoutEnd, rawObjects, repositoryWith } from "../given/repository.ts";
import { failToStart, run } from "../given/server.ts";

const filtered = (...kinds: string[]): Files => ({
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/report/automation.md": automationOn(["ci"], { kind: kinds }),
});

const AN_AGENT = "---\nagentType: CUSTOM\n---\nYou help.\n";

/** A factory that has taken six deliveries of the kind old, and forty-one of the kind new. */
const shared = sharedByFile(async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  const stage = await pullRequestStage({
    files: filtered("old"),
    reachedAt: `http://${listen}`,
    settings: { publicUrl: "https://millrace.example.com", deliveriesPerMinute: 1_000 },
    env: { MILLRACE_LISTEN: listen },
  });
  const { story, server } = stage;
  await story.setSecret("CI_SECRET", "token");
  await story.sync();
  const { pathname } = new URL(await story.urlOf("ci"));
  for (let n = 0; n < 47; n += 1) {
    await story.accept(server.url + pathname, "token", JSON.stringify({ n, kind: n < 6 ? "old" : "new" }));
  }
  return stage;
});

describe("a pull request on GitHub gets a check", () => {
  test("that says what merging it changes, and which runs it would have started", async () => {
    const { pull, tellOfPull, checked } = shared();
    const head = pull(1, filtered("new"));
    expect(await tellOfPull(1)).toMatchObject({ code: 202, status: "accepted" });
    const run = await checked(head);
    expect(run).toMatchObject({
      name: "millrace/factory-config",
      conclusion: "success",
      details_url: "https://millrace.example.com/",
    });
    expect(run.title).toContain("0 to create, 1 to update, 0 to delete");
    expect(run.summary).toContain("**update** automation `report`");
    expect(run.summary).toContain("41 runs instead of 6");
  });

  test("that fails for what is not valid, with each problem at its line", async () => {
    const { pull, tellOfPull, checked } = shared();
    const head = pull(2, {
      "webhooks/ci.yaml": "secretName: CI_SECRET\nauthMod: token\n",
      "automations/report/tests/a.yaml": "webhook: ci\npayload: { kind: old }\nfires: false\n",
    });
    await tellOfPull(2);
    const run = await checked(head);
    expect(run).toMatchObject({
      conclusion: "failure",
      title: "It cannot be applied: 2 problems block it.",
    });
    const failures = run.annotations.filter(({ annotation_level }) => annotation_level === "failure");
    expect(failures.map(({ path, start_line, title }) => [path, start_line, title])).toEqual([
      ["automations/report/tests/a.yaml", 3, "FF_TEST_FAILED"],
      ["webhooks/ci.yaml", 2, "FF_UNKNOWN_FIELD"],
    ]);
    expect(run.summary).toContain("webhooks/ci.yaml:2:1");
  });

  test("whose problems come fifty at a time, and are read when all of them are there", async () => {
    const { pull, tellOfPull, checked } = shared();
    const broken = Array.from({ length: 130 }, (_, n) => [
      `agents/a${n}/agent.md`,
      "---\nwrong: 1\n---\nX.\n",
    ]);
    const head = pull(3, Object.fromEntries(broken));
    await tellOfPull(3);
    const run = await checked(head);
    expect(run.batches).toEqual([50, 50, 30]);
    expect(new Set(run.annotations.map(({ path }) => path)).size).toBe(130);
    expect(run.conclusion).toBe("failure");
  });

  test("with the deletions that the prune guard suspects", async () => {
    const { pull, tellOfPull, checked } = shared();
    const head = pull(4, {}, { remove: ["webhooks/ci.yaml", "automations/report"] });
    await tellOfPull(4);
    const run = await checked(head);
    expect(run.conclusion).toBe("success");
    expect(run.summary).toContain('`deletes_used_webhook`: this deletes the webhook "ci"');
    expect(run.annotations).toContainEqual(
      expect.objectContaining({ path: "webhooks/ci.yaml", annotation_level: "warning" }),
    );
  });

  test("of what came out of merging: a branch that is behind deletes nothing", async () => {
    const { pull, push, tellOfPull, checked, story } = shared();
    const head = pull(5, { "agents/second/agent.md": AN_AGENT });
    push({
      "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nYou do it all.\n",
      "agents/new/agent.md": AN_AGENT,
    });
    await story.sync();
    await tellOfPull(5);
    const run = await checked(head);
    expect(run.title).toContain("1 to create, 0 to update, 0 to delete");
  });

  test("that says so when it conflicts with the branch", async () => {
    const { pull, push, tellOfPull, checked } = shared();
    const head = pull(6, { "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nYou do nothing.\n" });
    push({ "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nYou do all of it.\n" });
    await tellOfPull(6);
    expect(await checked(head)).toMatchObject({
      conclusion: "failure",
      title: "The pull request conflicts with the branch",
      summary: expect.stringContaining("agents/boss/agent.md"),
    });
  });

  test("that says so when merging it would take all memory, and is not repeated", async () => {
    const { repository, host, tellOfPull, checked } = shared();
    const raw = rawObjects(repository);
    const tree = raw.tree([["d", { tree: filesWithoutEnd(raw) }]]);
    const head = raw.commit(tree, "refs/pull/60/head");
    host.pulls.set(60, { number: 60, head, base: "main", state: "open" });
    await tellOfPull(60);
    expect(await checked(head)).toMatchObject({
      conclusion: "failure",
      title: "The plan failed",
      summary: expect.stringContaining("more than 1000000 files"),
    });
    expect(host.checkRuns.filter(({ head_sha }) => head_sha === head)).toHaveLength(1);
  });

  test("of each new head, and none is left open at a head that is not the newest any more", async () => {
    const { host, pull, tellOfPull, checked } = shared();
    const first = pull(7, { "agents/seven/agent.md": AN_AGENT });
    let second = "";
    host.before = (route) => {
      if (second !== "" || !route.startsWith("POST") || !route.endsWith("check-runs")) return;
      second = pull(7, { "agents/seven/agent.md": `${AN_AGENT}A lot.\n` });
    };
    await tellOfPull(7);
    await checked(first);
    await tellOfPull(7, "synchronize");
    expect(await checked(second)).toMatchObject({ conclusion: "success" });
    expect(await checked(first)).toMatchObject({
      conclusion: "cancelled",
      title: "A newer commit was pushed",
    });
    host.before = () => {};
  });

  test("again, when someone asks for it at the check or at its suite, also for a fork", async () => {
    const { host, pull, tellOfPull, checked, hook } = shared();
    const head = pull(8, { "agents/eight/agent.md": AN_AGENT });
    await tellOfPull(8);
    const { id, name, external_id } = await checked(head);
    const repository = { full_name: REPOSITORY };
    // GitHub lists no pull requests of forks here.
    const check_run = { id, name, external_id, head_sha: head, pull_requests: [] };
    await hook("check_run", { action: "rerequested", check_run, repository });
    const again = await checked(head, (run) => run.id > id);
    const check_suite = { head_sha: head, pull_requests: [] };
    await hook("check_suite", { action: "rerequested", check_suite, repository });
    await checked(head, (run) => run.id > again.id);
    expect(host.checkRuns.filter(({ head_sha }) => head_sha === head)).toHaveLength(3);
  });
});

describe("a hook is answered and asks for nothing", () => {
  test.each<[string, string, object, string]>([
    [
      "of a pull request that is closed",
      "pull_request",
      { action: "closed" },
      "nothing new to check: closed",
    ],
    [
      "of one whose title is edited",
      "pull_request",
      { action: "edited", changes: { title: {} } },
      "nothing new",
    ],
    [
      "of one for another branch",
      "pull_request",
      { pull_request: { number: 1, base: { ref: "next" } } },
      "the pull request is not for main",
    ],
    [
      "of another repository",
      "pull_request",
      { repository: { full_name: "acme/other" } },
      "the repository of this factory is acme/factory",
    ],
    ["of a push to another repository", "push", { repository: { full_name: "acme/other" } }, "acme/factory"],
    [
      "of somebody else's check",
      "check_run",
      { action: "rerequested", check_run: { external_id: "lint-7" } },
      "does not belong to this factory",
    ],
    ["of a suite that begins", "check_suite", { action: "requested" }, "no re-run"],
  ])("%s", async (_, event, changes, reason) => {
    const { hook, host } = shared();
    const before = host.requests.length;
    const payload = pullPayload(host, 1, "opened", { ref: "refs/heads/main", ...changes });
    expect(await hook(event, payload)).toMatchObject({
      code: 200,
      status: "ignored",
      reason: expect.stringContaining(reason),
    });
    expect(host.requests.length).toBe(before);
  });

  test("and one that is not signed with the secret is refused", async () => {
    const { hook, host } = shared();
    const answer = await hook("pull_request", pullPayload(host, 1, "opened"), {
      secret: "another-secret-of-18",
    });
    expect(answer.code).toBe(401);
  });
});

const TOKEN = { token: { env: "GITHUB_TOKEN" } };
const ENV = { GITHUB_TOKEN: "a-token-that-nobody-should-see" };

/** The settings file of a server with these factories. */
function configOf(...factories: object[]): string {
  const file = join(temporaryFolder(), "millrace.yaml");
  writeFileSync(file, JSON.stringify({ dataDir: join(temporaryFolder(), "data"), factories }));
  return file;
}

const aFactory = (github: object, source = repositoryWith(FACTORY).url) => ({ source, github });

const refused = async (...factories: object[]) => {
  const { code, said } = await failToStart(["--config", configOf(...factories)], ENV);
  expect(code).toBeGreaterThan(0);
  expect(said).not.toContain(ENV.GITHUB_TOKEN);
  return said;
};

describe("a server does not start with a github: that", () => {
  test("has a credential and an API that it would go to in the clear", async () => {
    const github = { repository: "acme/factory", api: "http://git.example.com/api/v3", ...TOKEN };
    expect(await refused(aFactory(github))).toContain("credentials are sent only over https");
    const withUser = { ...github, api: "https://ann:secret@git.example.com/api/v3" };
    expect(await refused(aFactory(withUser))).toContain("expected a URL without a user");
  });

  test("belongs to a folder", async () => {
    const github = { repository: "acme/factory", ...TOKEN };
    expect(await refused(aFactory(github, folderWith(FACTORY)))).toContain("no pull requests");
  });

  test("two factories of one repository have with one name for their checks", async () => {
    const github = { repository: "acme/factory", ...TOKEN };
    const other = { ...github, repository: "Acme/Factory" };
    expect(await refused(aFactory(github), aFactory(other))).toContain("one would overwrite the other");
    const spelledOut = { ...github, api: "https://api.github.com/" };
    expect(await refused(aFactory(github), aFactory(spelledOut))).toContain("one would overwrite the other");
  });

  test.each([
    ["has no credential", { repository: "acme/factory" }],
    [
      "has two credentials",
      { repository: "acme/factory", ...TOKEN, app: { id: 1, privateKey: { env: "X" } } },
    ],
    ["says its token itself", { repository: "acme/factory", token: "a-token-that-nobody-should-see" }],
    ["names no repository", { repository: "factory", ...TOKEN }],
    ["leads out of the repository", { repository: "acme/..", ...TOKEN }],
  ])("%s", async (_, github) => {
    expect(await refused(aFactory(github))).toContain("millrace.yaml is not valid");
  });
});

test("the settings are printed with the places of credentials, and without their values", async () => {
  const config = configOf(aFactory({ repository: "acme/factory", ...TOKEN }));
  const { code, printed } = await run(["serve", "--print-config", "--config", config], ENV);
  expect(code).toBe(0);
  expect(printed).toContain('"github":{"repository":"acme/factory","token":{"env":"GITHUB_TOKEN"}}');
  expect(printed).not.toContain(ENV.GITHUB_TOKEN);
});
