import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { ADMIN_KEY, run, startServer } from "../given/server.ts";

const TOKEN = "a-token-of-many-letters";

const stage = sharedByFile(async () => {
  const files = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
  const given = await serverWithAgent("true", { files });
  await given.story.setSecret("CI_SECRET", TOKEN);
  await given.story.sync();
  const env = { MILLRACE_SERVER: `${given.server.url}/api/v1`, MILLRACE_API_KEY: ADMIN_KEY };
  return { ...given, millrace: (...args: string[]) => run(args, env) };
});

describe("a run is named by the beginning of its id", () => {
  test("when no other run has it", async () => {
    const { start, millrace } = stage();
    const id = await start();
    const shown = await millrace("runs", "get", id.slice(0, 20), "--json");
    expect(JSON.parse(shown.printed)).toMatchObject({ run_id: id });
    expect((await millrace("runs", "timeline", id.slice(0, 20).toUpperCase())).code).toBe(0);
  });

  test("and is told that several have it, or none", async () => {
    const { start, millrace } = stage();
    const [id] = [await start(), await start()];
    const several = await millrace("runs", "get", id.slice(0, 4));
    expect(several).toMatchObject({ code: 2, said: expect.stringContaining("More than one run") });
    expect(several.said).toMatch(/for example [0-9a-f-]{36} or [0-9a-f-]{36}/);
    const none = await millrace("runs", "get", "00000001");
    expect(none).toMatchObject({ code: 5, said: expect.stringContaining("begins with 00000001") });
  });
});

describe("what is named is found", () => {
  test("runs of an automation and of a creator, with a server whose URL ends in /api/v1", async () => {
    const { start, story, millrace } = stage();
    const mine = await start();
    const { run_ids: fired } = await story.delivery(await story.accept(await story.urlOf("ci"), TOKEN, "{}"));
    const listed = async (...args: string[]) =>
      JSON.parse((await millrace("runs", "list", "--json", ...args)).printed).map(
        ({ run_id }: { run_id: string }) => run_id,
      );
    const ofAutomation = await listed("--automation", "a");
    expect(ofAutomation).toEqual(fired);
    const creator = JSON.parse((await millrace("runs", "get", mine, "--json")).printed).creator.display_name;
    const ofCreator = await listed("--creator", creator);
    expect(ofCreator).toContain(mine);
    expect(ofCreator).not.toContain(fired[0]);
    expect((await millrace("runs", "list", "--automation", "nobody")).code).toBe(5);
  });

  test("the agent of a schedule", async () => {
    const { millrace } = stage();
    const options = ["--name", "nightly", "--cron", "0 3 * * *", "--prompt", "Sweep."];
    const made = await millrace("schedules", "create", ...options, "--agent", "boss", "--json");
    expect(made.said).toBe("");
    const agents = JSON.parse((await millrace("agents", "list", "--json")).printed);
    const boss = agents.find(({ name }: { name: string }) => name === "boss");
    expect(JSON.parse(made.printed)).toMatchObject({ agent_uid: boss.uid });
  });

  test("a prompt behind attached files", async () => {
    const { millrace } = stage();
    const folder = folderWith({ "a.txt": "A", "b.txt": "B" });
    const files = ["--attach", join(folder, "a.txt"), "--attach", join(folder, "b.txt")];
    const id = (await millrace("runs", "create", ...files, "Read them.")).printed.trim();
    const run = JSON.parse((await millrace("runs", "get", id, "--json")).printed);
    expect(run.prompt).toBe("Read them.");
    expect((await millrace("runs", "attachments", id)).printed).toMatch(/a\.txt[\s\S]*b\.txt/);
  });
});

test("an automation that names a webhook that is not there says so when it is set", async () => {
  const server = await startServer({ sources: [] });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const filter = "filter: { webhook_ids: [nobodyhasthisuid000000] }";
  const text = `---\ntriggers: [{ provider: webhook, event: received, ${filter} }]\n---\nGo.\n`;
  const set = await run(["automations", "set", "a", "--file", "-"], env, text);
  expect(set).toMatchObject({ code: 0, said: expect.stringContaining("nobodyhasthisuid000000") });
  const named = text.replace(filter, "millrace: { webhooks: [nowhere] }");
  expect((await run(["automations", "set", "b", "--file", "-"], env, named)).said).toContain("nowhere");
});
