import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

type Environment = components["schemas"]["CloudEnvironment"];
type Schedule = components["schemas"]["ScheduledAgentItem"];

async function freshServer() {
  const { server } = await serving(FACTORY, {});
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const millrace = (...args: string[]) => run(args, env);
  return { server, millrace, fed: (input: string, ...args: string[]) => run(args, env, input) };
}

const stage = sharedByFile(freshServer);

/** What a command prints with --json. */
async function json<Model>(made: Promise<{ printed: string }>): Promise<Model> {
  return JSON.parse((await made).printed);
}

describe("millrace environments", () => {
  test("makes one from options, lists and shows it by name or uid", async () => {
    const { millrace } = await freshServer();
    expect((await millrace("environments", "list")).printed).toMatch(/^There are no environments\./);
    const options = ["--image", "node:20", "--repo", "acme/shop", "acme/api", "--secret", "NPM_TOKEN"];
    const setup = ["--setup", "npm ci", "npm run build", "--description", "For the shop.", "--cache-setup"];
    const created = await millrace("environments", "create", "--name", "web", ...options, ...setup);
    expect([created.code, created.said]).toEqual([
      0,
      'Secret "NPM_TOKEN" does not exist, so runs start without it. Set it with `millrace secrets set NPM_TOKEN`.\n',
    ]);
    const uid = created.printed.trim();

    const environment = await json<Environment>(millrace("environments", "show", uid, "--json"));
    expect(environment).toMatchObject({
      uid,
      config: {
        name: "web",
        description: "For the shop.",
        docker_image: "node:20",
        github_repos: [
          { owner: "acme", repo: "shop" },
          { owner: "acme", repo: "api" },
        ],
        setup_commands: ["npm ci", "npm run build"],
        cache_setup: true,
        secrets: [{ name: "NPM_TOKEN" }],
      },
    });
    expect(await json(millrace("environments", "list", "--json"))).toEqual([environment]);
    expect((await millrace("environments", "list")).printed).toMatch(
      new RegExp(`^NAME +UID .*\nweb +${uid} .* node:20 +acme/shop, acme/api\n$`),
    );
    const { printed } = await millrace("environments", "show", "web");
    expect(printed).toMatch(/^setup: +npm ci\n +npm run build$/m);
    expect(printed).toMatch(/^setup is stored: +always$/m);
    expect(printed).toMatch(/^secrets: +NPM_TOKEN \(does not exist\)$/m);
  });

  test("makes one from a file or from standard input, where options win", async () => {
    const { millrace, fed } = stage();
    const config = JSON.stringify({ name: "from file", setup_commands: ["make"] });
    const file = join(folderWith({ "e.json": config }), "e.json");
    const made = await json<Environment>(millrace("environments", "create", "--file", file, "--json"));
    expect(made.config).toMatchObject({ name: "from file", setup_commands: ["make"] });
    const args = ["environments", "create", "--file", "-", "--name", "from input", "--json"];
    expect((await json<Environment>(fed(config, ...args))).config.name).toBe("from input");
  });

  test("changes what is given and leaves the rest, and deletes", async () => {
    const { millrace } = stage();
    await millrace("environments", "create", "--name", "old", "--setup", "make", "--image", "node:20");
    const updated = await millrace(
      "environments",
      "update",
      "old",
      "--name",
      "new",
      "--image",
      "node:22",
      "--no-cache-setup",
    );
    expect([updated.code, updated.printed]).toEqual([0, "Updated environment new.\n"]);
    const { config } = await json<Environment>(millrace("environments", "show", "new", "--json"));
    expect(config).toMatchObject({
      name: "new",
      docker_image: "node:22",
      setup_commands: ["make"],
      cache_setup: false,
    });
    expect((await millrace("environments", "delete", "new")).printed).toBe("Deleted environment new.\n");
    expect((await millrace("environments", "show", "new")).code).toBe(5);
  });
});

describe("millrace schedules", () => {
  test("makes, lists, shows, pauses, resumes and deletes one", async () => {
    const { millrace } = await freshServer();
    expect((await millrace("schedules", "list")).printed).toMatch(/^There are no schedules\./);
    const what = ["--name", "daily", "--cron", "0 9 * * *", "--prompt", "Report."];
    const created = await millrace("schedules", "create", ...what);
    expect([created.code, created.said]).toEqual([0, ""]);
    const id = created.printed.trim();
    expect((await millrace("schedules", "list")).printed).toMatch(
      new RegExp(`^NAME +ID .*\ndaily +${id} +0 9 \\* \\* \\* +\\S+T09:00:00.000Z +-\n$`),
    );
    const schedule = await json<Schedule>(millrace("schedules", "show", "daily", "--json"));
    expect(await json(millrace("schedules", "list", "--json"))).toEqual([schedule]);
    expect((await millrace("schedules", "pause", "daily")).printed).toBe("Paused schedule daily.\n");
    expect((await millrace("schedules", "show", id)).printed).toMatch(/^next run: +paused$/m);
    expect((await millrace("schedules", "resume", id)).printed).toMatch(
      /^Resumed schedule daily\. Next run: \S+T09:00:00.000Z\.\n$/,
    );
    expect((await millrace("schedules", "delete", "daily")).printed).toBe("Deleted schedule daily.\n");
    expect((await millrace("schedules", "show", id)).said).toContain("`millrace schedules list`");
  });

  test("makes one from standard input, paused, for an agent that `agents list` shows", async () => {
    const { millrace, fed } = stage();
    const [boss] = await json<{ uid: string; factory_uid: string }[]>(millrace("agents", "list", "--json"));
    const written = JSON.stringify({ name: "a", cron_schedule: "@daily", prompt: "p" });
    const args = ["--file", "-", "--name", "piped", "--paused", "--agent", boss?.uid ?? "", "--json"];
    const made = await json<Schedule>(fed(written, "schedules", "create", ...args));
    expect(made).toMatchObject({
      name: "piped",
      cron_schedule: "@daily",
      enabled: false,
      agent_uid: boss?.uid,
      factory_uid: boss?.factory_uid,
    });
  });

  test("asks for an id where several have the name", async () => {
    const { millrace } = stage();
    const what = ["--name", "twin", "--cron", "@daily", "--prompt", "p"];
    const ids = [];
    for (let n = 0; n < 2; n += 1) ids.push((await millrace("schedules", "create", ...what)).printed.trim());
    const { code, said } = await millrace("schedules", "delete", "twin");
    expect([code, said]).toEqual([2, expect.stringContaining("Specify one by its ID")]);
    for (const id of ids) expect((await millrace("schedules", "delete", id)).code).toBe(0);
  });
});

test("millrace agents list shows the agents of definitions and those that the API has made", async () => {
  const { millrace, server } = stage();
  await server.api("POST", "/agent/identities", { name: "helper" });
  const { printed } = await millrace("agents", "list");
  expect(printed).toMatch(/^NAME +FACTORY +TYPE +RUNS +LAST RUN +SUCCESS +UPDATED$/m);
  expect(printed).toMatch(/^boss +acme +FOREMAN +\d+ /m);
  expect(printed).toMatch(/^helper +- +CUSTOM +0 +- +- /m);
});

test.each<[string, string[], string, number, string]>([
  ["an environment without a name", ["environments", "create"], "", 2, "--name"],
  [
    "a repository without an owner",
    ["environments", "create", "--name", "x", "--repo", "shop"],
    "",
    2,
    "Expected owner/name.",
  ],
  ["a list as a file", ["environments", "create", "--file", "-"], "[]", 2, "JSON object"],
  ["what is no JSON", ["schedules", "create", "--file", "-"], "{", 2, "standard input is not valid JSON"],
  ["a schedule without a cron expression", ["schedules", "create", "--name", "x"], "", 2, "--cron"],
  [
    "a wrong cron expression",
    ["schedules", "create", "--name", "x", "--cron", "noon", "--prompt", "p"],
    "",
    1,
    "cron_schedule",
  ],
  ["an environment that is not there", ["environments", "update", "nobody"], "", 5, "environments list"],
  ["a schedule that is not there", ["schedules", "pause", "nobody"], "", 5, "schedules list"],
])("%s is reported with what to do", async (_, args, input, code, said) => {
  const result = await stage().fed(input, ...args);
  expect(result.said).toContain(said);
  expect([result.code, result.printed]).toEqual([code, ""]);
});
