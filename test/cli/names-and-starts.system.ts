import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { firstUuidOf } from "../../src/id.ts";
import { serverWithAgent } from "../given/agent.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK } from "../given/definition.ts";
import { recordDelivery } from "../given/factory.ts";
import { folderWith } from "../given/folder.ts";
import { ADMIN_KEY, run, startServer } from "../given/server.ts";
import { aDelivery, storeOf } from "../given/store.ts";

const TOKEN = "a-token-of-many-letters";

const stage = sharedByFile(async () => {
  const files = {
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "webhooks/quiet.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"]),
  };
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

  test("and reports that several match, or none", async () => {
    const { start, millrace } = stage();
    const [id] = [await start(), await start()];
    const several = await millrace("runs", "get", id.slice(0, 4));
    expect(several).toMatchObject({ code: 2, said: expect.stringContaining("More than one run") });
    expect(several.said).toMatch(/for example [0-9a-f-]{36} or [0-9a-f-]{36}/);
    const none = await millrace("runs", "get", "00000001");
    expect(none).toMatchObject({ code: 5, said: expect.stringContaining("begins with 00000001") });
  });
});

describe("a delivery is named by the beginning of its id", () => {
  test("when no other delivery has it", async () => {
    const { story, millrace } = stage();
    const id = await story.accept(await story.urlOf("quiet"), TOKEN, "{}");
    const start = id.slice(0, 20);
    expect((await millrace("deliveries", "show", start)).printed).toContain(id);
    expect((await millrace("deliveries", "explain", start.toUpperCase())).code).toBe(0);
    const filter = join(folderWith({ "f.yaml": "kind: [push]\n" }), "f.yaml");
    const tried = await millrace("filter", "test", "--filter", filter, "--delivery", start);
    expect([tried.code, tried.printed.split("\n")[0]]).toEqual([1, "Would not trigger"]);
    const again = await millrace("deliveries", "redeliver", start, "--json");
    expect(JSON.parse(again.printed)).toMatchObject({ redelivery_of: id });
    expect((await millrace("deliveries", "delete-payload", start)).said).not.toContain(
      "has an ID that begins",
    );
  });

  test("and reports that several match, or none", async () => {
    const { story, millrace } = stage();
    const url = await story.urlOf("quiet");
    const [id] = [await story.accept(url, TOKEN, "[1]"), await story.accept(url, TOKEN, "[2]")];
    const several = await millrace("deliveries", "show", id.slice(0, 4));
    expect(several).toMatchObject({ code: 2, said: expect.stringContaining("More than one delivery") });
    const none = await millrace("deliveries", "show", "00000001");
    expect(none).toMatchObject({
      code: 5,
      said: expect.stringContaining("No delivery has an ID that begins with"),
    });
    expect((await millrace("deliveries", "show", "xyz")).said).toContain("`millrace deliveries list`");
  });
});

describe("a delivery of long ago is named by the beginning of its id", () => {
  /** A delivery with so many later ones to the same webhook. */
  async function behind(later: number) {
    const { server, story, millrace } = stage();
    const { uid } = await story.webhook("quiet");
    const { uid: factoryUid } = await story.factory();
    const store = await storeOf(server);
    const { connection } = store;
    const id = firstUuidOf(Date.parse("2001-01-01T00:00:00Z"));
    await recordDelivery(store, aDelivery({ id, webhookUid: uid, factoryUid }));
    await connection.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
       INSERT INTO deliveries (delivery_id, factory_uid, webhook_uid, outcome, size, time)
       SELECT printf('01000000-0000-7000-8000-%012x', i), $2, $3, 'Rejected (auth)', 1, '2005-01-01T00:00:00.000Z' FROM n`,
      [later, factoryUid, uid],
    );
    onTestFinished(async () => {
      await connection.run("DELETE FROM deliveries WHERE delivery_id < '0180'");
    });
    return { shown: await millrace("deliveries", "show", id.slice(0, 10)), id };
  }

  test("when thousands came after it", async () => {
    const { shown, id } = await behind(2_500);
    expect(shown).toMatchObject({ code: 0, said: "" });
    expect(shown.printed).toContain(id);
  });

  test("and asks for the full ID when too many came after it", async () => {
    const { shown, id } = await behind(10_000);
    expect(shown).toMatchObject({
      code: 2,
      said: expect.stringContaining(
        `None of the newest 10000 deliveries has an ID that begins with ${id.slice(0, 10)}.\nEnter the full ID.`,
      ),
    });
  });
});

describe("a run that others were started from is named by the beginning of its id", () => {
  test("as the parent of a new one, and to list them", async () => {
    const { start, millrace } = stage();
    const parent = await start();
    const made = await millrace("runs", "create", "Go on.", "--parent", parent.slice(0, 20), "--json");
    const { run_id: child } = JSON.parse(made.printed);
    const listed = await millrace("runs", "list", "--ancestor", parent.slice(0, 20), "--json");
    expect(JSON.parse(listed.printed)).toMatchObject([{ run_id: child }]);
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

test("setting an automation that names an unknown webhook prints a warning", async () => {
  const server = await startServer({ sources: [] });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const filter = "filter: { webhook_ids: [nobodyhasthisuid000000] }";
  const text = `---\ntriggers: [{ provider: webhook, event: received, ${filter} }]\n---\nGo.\n`;
  const set = await run(["automations", "set", "a", "--file", "-"], env, text);
  expect(set).toMatchObject({ code: 0, said: expect.stringContaining("nobodyhasthisuid000000") });
  const named = text.replace(filter, "millrace: { webhooks: [nowhere] }");
  expect((await run(["automations", "set", "b", "--file", "-"], env, named)).said).toContain("nowhere");
});
