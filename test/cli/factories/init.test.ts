import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { ADMIN_KEY, run, startServer } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe("init", () => {
  test("writes a definition that is valid and whose tests hold", async () => {
    const folder = join(temporaryFolder(), "new");
    const { code, printed } = await run(["init", folder]);
    expect([code, printed]).toEqual([0, expect.stringContaining("wrote automations/report-failed-build/")]);
    expect(printed).toContain("wrote .schemas/v1alpha1/ ");
    const checked = await run(["validate", folder]);
    expect(checked.printed).toContain("Valid: 1 agent, 1 automation, 1 webhook.");
    const test = join(folder, "automations/report-failed-build/tests/failed-on-main.yaml");
    expect(readFileSync(test, "utf8")).toContain("fires: true");
  });

  test("writes one that works: its webhook takes a delivery, and a run starts", async () => {
    const folder = temporaryFolder();
    await run(["init", "."], {}, "", { cwd: folder });
    const server = await startServer({ sources: [folder] });
    const story = storyOf(server);
    await story.setSecret("CI_WEBHOOK_SECRET", "token");
    await story.sync();
    const body = '{"status":"failed","branch":"main"}';
    const delivery = await story.accept(await story.urlOf("ci"), "token", body);
    expect((await story.endedRunOf(delivery)).state).toBe("SUCCEEDED");
  });

  test("excludes the data folder of a server from commits, and does not change an existing .gitignore", async () => {
    const fresh = temporaryFolder();
    expect((await run(["init", fresh])).printed).toContain("wrote .gitignore");
    expect(readFileSync(join(fresh, ".gitignore"), "utf8")).toBe(".millrace/\n");
    for (const [own, told] of [
      ["dist/\n", "add the line .millrace/ to it"],
      ["dist/\n/.millrace\n", "it already ignores .millrace/"],
    ]) {
      const folder = folderWith({ ".gitignore": own ?? "" });
      expect((await run(["init", folder])).printed).toContain(`left .gitignore unchanged: ${told}`);
      expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe(own);
    }
  });

  test("points editors to the schemas that it writes next to the definition", async () => {
    const folder = temporaryFolder();
    await run(["init", folder]);
    const hints = filesIn(folder).flatMap((file) => {
      const hint = /^# yaml-language-server: \$schema=(.+)$/m.exec(readFileSync(file, "utf8"))?.[1];
      return hint ? [join(dirname(file), hint)] : [];
    });
    expect(hints.length).toBeGreaterThanOrEqual(4);
    for (const schema of hints) expect(JSON.parse(readFileSync(schema, "utf8")).$schema).toContain("2020-12");
    expect(existsSync(join(folder, ".schemas/v1alpha1/common.schema.json"))).toBe(true);
  });

  test("writes a workflow that runs only actions of GitHub and the one of a checkout of millrace, and no package", async () => {
    const folder = temporaryFolder();
    await run(["init", folder]);
    const text = readFileSync(join(folder, ".github/workflows/millrace.yaml"), "utf8");
    const workflow = parse(text);
    const steps: { uses?: string; run?: string; with?: Record<string, string> }[] =
      workflow.jobs.definition.steps;
    expect(steps.flatMap(({ uses }) => uses ?? [])).toEqual([
      "actions/checkout@v5",
      "actions/checkout@v5",
      "actions/setup-node@v5",
      "./.millrace/action",
    ]);
    const place = steps.find((step) => step.with?.path !== undefined)?.with;
    expect(place).toMatchObject({
      repository: expect.stringMatching(/^\$\{\{ vars\.MILLRACE_REPOSITORY \}\}$/),
      ref: expect.stringMatching(/^\$\{\{ vars\.MILLRACE_COMMIT \}\}$/),
      path: ".millrace/action",
    });
    const inputs = Object.keys(parse(readFileSync("action.yml", "utf8")).inputs);
    expect(inputs).toEqual(expect.arrayContaining(Object.keys(steps.at(-1)?.with ?? {})));
    const scripts = steps.flatMap((step) => step.run ?? []);
    expect(scripts).toEqual([expect.stringMatching(/^echo "::error::The definition was not validated:/)]);
    expect(scripts.join()).not.toMatch(/\$\{\{/);
    expect(text).not.toMatch(/npx|npm /);
    expect(workflow.permissions).toEqual({ contents: "read" });
  });

  test("overwrites nothing, and then writes nothing at all", async () => {
    const folder = folderWith({ "webhooks/ci.yaml": "secretName: MINE\n", "README.md": "Mine.\n" });
    const { code, said } = await run(["init", folder]);
    expect([code, said]).toEqual([6, expect.stringContaining("webhooks/ci.yaml would be overwritten")]);
    expect(filesIn(folder)).toHaveLength(2);
  });
});

test("pause, pauses, status and unpause name what is paused and how it goes on", async () => {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
  const { server } = await serving(files, { CI_SECRET: "t" });
  const millrace = async (...args: string[]) => {
    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
    const { code, said, printed } = await run(args, env);
    return { code, said: said + printed };
  };

  expect(await millrace("pauses")).toEqual({ code: 0, said: "Nothing is paused.\n" });
  const paused = await millrace("pause", "--webhook", "ci", "--reason", "provider is down");
  expect(paused.code).toBe(0);
  expect(paused.said).toContain('Paused webhook "ci" of factory "acme"');
  expect(paused.said).toContain("millrace unpause --factory acme --webhook ci");
  expect((await millrace("pause")).said).toContain("Paused the server");
  expect((await millrace("pauses")).said).toMatch(/webhook "ci" of factory "acme" .*provider is down/);
  expect((await millrace("status")).said).toMatch(/^Paused: webhook "ci".*\(provider is down\)$/m);
  expect(JSON.parse((await millrace("pauses", "--json")).said)).toMatchObject([
    { scope: "webhook" },
    { scope: "server" },
  ]);

  const wrong = await millrace("unpause", "--automation", "a");
  expect(wrong).toEqual({ code: 5, said: expect.stringContaining('"a" is not paused') });
  expect((await millrace("unpause", "--factory", "acme", "--webhook", "ci")).code).toBe(0);
  expect((await millrace("unpause")).said).toContain("Ended the pause of the server");
  expect((await millrace("pauses")).said).toBe("Nothing is paused.\n");
});
