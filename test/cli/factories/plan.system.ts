import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { type Files, folderWith, writeFiles } from "../../given/folder.ts";
import { repositoryWith, runGit } from "../../given/repository.ts";
import { ADMIN_KEY, run, startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

/** A skill that brings what is no text. */
const SKILL: Files = {
  "skills/look/SKILL.md": "---\nname: look\n---\nLook at the picture.\n",
  "skills/look/picture.bin": Buffer.from([0xff, 0x00, 0xfe, 0x0a]),
};
const before: Files = {
  ...FACTORY,
  ...SKILL,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"]),
};
const after: Files = {
  ...FACTORY,
  ...SKILL,
  "webhooks/builds.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["builds"]),
};

/** A server of a repository in which a branch, that a pull request is made of, renames the webhook. */
const shared = sharedByFile(async () => {
  const origin = repositoryWith(before);
  const server = await startServer({ sources: [origin.url] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "value");
  await story.sync();
  origin.git("checkout", "--quiet", "-b", "rename");
  const commit = origin.push(after, { remove: ["webhooks/ci.yaml"], branch: "rename" });
  origin.git("push", "--quiet", "origin", `${commit}:refs/pull/7/head`);
  return { server, story, commit };
});

const plan = (args: string[], cwd = process.cwd()) =>
  run(["plan", ...args], { MILLRACE_SERVER: shared().server.url, MILLRACE_API_KEY: ADMIN_KEY }, "", { cwd });

describe("plan", () => {
  test("of a folder shows what would change, and what comes with it", async () => {
    const { code, printed } = await plan([folderWith(after)]);
    expect(printed).toContain("Plan for acme:\n");
    expect(printed).toContain(
      '  ~ automation a (triggers)\n      triggers[0].webhookNames[0]: "ci" -> "builds"\n  + webhook builds\n  - webhook ci\n',
    );
    expect(printed).toContain("1 to create, 1 to update, 1 to delete, 3 unchanged.");
    expect(printed).toContain("warning url_will_change webhooks/builds.yaml:1:1");
    expect([code, printed]).toEqual([0, expect.stringMatching(/It can be applied\.\n$/)]);
  });

  test("changes nothing", async () => {
    const { story } = shared();
    const factory = await story.factory();
    await plan([folderWith(after)]);
    await plan(["--ref", "rename"]);
    expect(await story.factory()).toEqual(factory);
  });

  test("of a branch, a commit or a pull request is made by the server from its own repository", async () => {
    const { commit } = shared();
    const printed = await Promise.all(
      [
        ["--ref", "rename"],
        ["--ref", commit],
        ["--ref", commit.slice(0, 10)],
        ["--pull-request", "7"],
      ].map(async (args) => (await plan(args)).printed),
    );
    for (const text of printed) {
      expect(text).toContain(`Plan for acme at ${commit.slice(0, 12)}:`);
      expect(text).toContain("1 to create, 1 to update, 1 to delete");
    }
  });

  test("of a commit in a working copy needs no push, and does not see what is not committed", async () => {
    const copy = folderWith({ "ops/x": "" });
    runGit(copy, "init", "--quiet");
    const inFolder = Object.fromEntries(Object.entries(after).map(([path, text]) => [`ops/${path}`, text]));
    writeFiles(copy, inFolder);
    runGit(copy, "add", "--all");
    runGit(copy, "commit", "--quiet", "--message=Rename");
    writeFiles(copy, { "ops/webhooks/later.yaml": TOKEN_WEBHOOK });
    const { printed } = await plan([join(copy, "ops"), "--ref", "HEAD"]);
    expect(printed).toContain(`Plan for acme at ${runGit(copy, "rev-parse", "HEAD").slice(0, 12)}:`);
    expect(printed).toContain("+ webhook builds");
    expect(printed).not.toContain("later");
  });

  test("of the applied revision changes nothing", async () => {
    const { code, printed } = await plan([folderWith(before)]);
    expect([code, printed]).toEqual([0, expect.stringContaining("Nothing would change.")]);
  });

  test("of a tree that is not valid shows why, and ends with 1", async () => {
    const { code, printed } = await plan([folderWith({ ...before, "webhooks/w.yaml": "secretname: X\n" })]);
    expect(code).toBe(1);
    expect(printed).toContain("error FF_UNKNOWN_FIELD webhooks/w.yaml:1:1");
    expect(printed).toContain("It cannot be applied: 2 problems block it.");
  });

  test("that a missing secret blocks ends with 1, and shows its changes", async () => {
    const { code, printed } = await plan([
      folderWith({ ...before, "webhooks/w.yaml": "secretName: NOT_SET\n" }),
    ]);
    expect(code).toBe(1);
    expect(printed).toContain("+ webhook w");
    expect(printed).toContain("blocks secret_missing webhooks/w.yaml:1:13");
  });

  test("is printed as JSON, as Markdown, as annotations and as SARIF", async () => {
    const folder = folderWith({ ...after, "webhooks/w.yaml": "secretName: NOT_SET\n" });
    const [json, markdown, github, sarif] = await Promise.all(
      ["json", "markdown", "github", "sarif"].map(
        async (format) => (await plan([".", "--format", format], folder)).printed,
      ),
    );
    expect(JSON.parse(json ?? "")).toMatchObject({
      factory: "acme",
      revision: null,
      applicable: false,
      summary: { create: 2, update: 1, delete: 1, unchanged: 3 },
    });
    expect(markdown).toContain("- **delete** webhook `ci` (`webhooks/ci.yaml`)");
    expect(github).toContain("::error file=webhooks/w.yaml,line=1,col=13,title=secret_missing::");
    expect(
      JSON.parse(sarif ?? "").runs[0].results.map((result: { ruleId: string }) => result.ruleId),
    ).toContain("url_will_change");
  });

  test("says what there is not", async () => {
    const { code, said } = await plan(["--ref", "nowhere"]);
    expect([code, said]).toEqual([5, expect.stringContaining('no branch, tag or commit "nowhere"')]);
    expect((await plan(["--pull-request", "8"])).code).toBe(5);
    expect((await plan(["--ref", "--upload-pack=x"])).code).not.toBe(0);
    expect((await plan(["--pull-request", "seven"])).code).toBe(2);
  });
});
