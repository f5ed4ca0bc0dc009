import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { rowsOf } from "../../given/filled-store.ts";
import { run, waitFor } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

const TOKEN = "the-token";
const FILES = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a/automation.md": automationOn(["ci"]),
};
/** Says something, leaves a file, and stays for as long as its payload asks it to. */
const AGENT = `
  import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
  console.log("a word that only this run has written");
  mkdirSync("artifacts");
  writeFileSync("artifacts/report.txt", "done");
  if (readFileSync("event-payload.json", "utf8").includes("stay")) while (!existsSync("go")) await new Promise((again) => setTimeout(again, 20));`;

async function newStage() {
  const { server, story } = await serving(FILES, { CI_SECRET: TOKEN }, { agent: AGENT });
  const { uid, url } = await story.webhook("ci");
  const ask = (method: string, path: string, key?: string) =>
    server.fetch(`/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key ?? "test-admin-key-0123456789"}` },
    });
  const rows = () => rowsOf(join(server.dataDir, "millrace.db"));
  return { server, story, uid, ask, rows, send: (body: string) => story.accept(url, TOKEN, body) };
}

const stage = sharedByFile(newStage);

const BODY = '{"name":"Ann of Nowhere"}';

const runOf = async ({ story }: ReturnType<typeof stage>, delivery: string) =>
  (await story.delivery(delivery)).run_ids[0] ?? "";

describe("a run that is deleted", () => {
  test("is gone with its transcript, its artifacts and its workspace, and its deletion is in the audit log", async () => {
    const given = stage();
    const { server, story, ask, rows } = given;
    const delivery = await given.send('{"n":1}');
    const { run_id: id } = await story.endedRunOf(delivery);
    const places = ["workspaces", "artifacts"].map((name) => join(server.dataDir, name, id));
    expect(places.map((place) => existsSync(place))).toEqual([true, true]);
    expect((await ask("DELETE", `/agent/runs/${id}`)).status).toBe(204);
    expect((await ask("GET", `/agent/runs/${id}`)).status).toBe(404);
    expect((await ask("DELETE", `/agent/runs/${id}`)).status).toBe(404);
    expect(places.map((place) => existsSync(place))).toEqual([false, false]);
    const { audit_log: _, changes: __, ...kept } = rows();
    const transcripts = rowsOf(join(server.dataDir, "millrace-transcripts.db"));
    for (const [table, all] of Object.entries({ ...kept, ...transcripts }))
      expect(
        all.filter((row) => row.includes(id)),
        table,
      ).toEqual([]);
    expect((await story.delivery(delivery)).run_ids).toEqual([]);
    const log = (await (await ask("GET", "/audit-log")).json()) as { entries?: object[] };
    expect(JSON.stringify(log)).toContain(`"action":"deleteRun"`);
  });

  test("has ended: one that waits or works cannot be deleted", async () => {
    const given = stage();
    const id = await runOf(given, await given.send('"stay, run"'));
    const refused = await given.ask("DELETE", `/agent/runs/${id}`);
    expect([refused.status, (await refused.json()) as object]).toMatchObject([
      409,
      { title: expect.any(String) },
    ]);
    expect((await given.story.run(id)).run_id).toBe(id);
  });

  test("is deleted by administrators alone", async () => {
    const given = stage();
    const { run_id: id } = await given.story.endedRunOf(await given.send("1"));
    const made = await given.server.api<{ key: string }>("POST", "/api-keys", {
      name: "o",
      role: "operator",
    });
    expect((await given.ask("DELETE", `/agent/runs/${id}`, made.key)).status).toBe(403);
    expect((await given.story.run(id)).run_id).toBe(id);
  });
});

describe("a payload that is deleted", () => {
  test("is no longer stored anywhere, and the delivery stays in the log with what is known about it", async () => {
    const given = stage();
    const { story, ask, rows } = given;
    const delivery = await given.send(BODY);
    await story.endedRunOf(delivery);
    const path = `/factories/acme/deliveries/${delivery}`;
    const written = Buffer.from(BODY).toJSON().data.join();
    expect(JSON.stringify(rows())).toContain(written);
    expect((await ask("DELETE", `${path}/payload`)).status).toBe(204);
    const gone = await ask("GET", `${path}/payload`);
    expect([gone.status, await gone.text()]).toEqual([
      404,
      expect.stringContaining("its payload was deleted"),
    ]);
    expect(await story.delivery(delivery)).toMatchObject({ outcome: "Accepted", size: BODY.length });
    expect(JSON.stringify(rows())).not.toContain(written);
    expect((await ask("POST", `${path}/redeliver`)).status).toBe(409);
    expect(await (await ask("GET", `${path}/explain`)).json()).toMatchObject({
      summary: "Its payload was deleted.",
    });
    expect((await ask("POST", "/factories/acme/plan")).status).toBe(200);
  });

  test("is not left in the workspaces of the runs that were given it", async () => {
    const given = stage();
    const { server, story, uid, ask } = given;
    const first = await given.send('{"name":"Cy of Nowhere"}');
    const second = await given.send('{"name":"Bea of Nowhere"}');
    const places: string[] = [];
    for (const delivery of [first, second]) {
      const { run_id: id } = await story.endedRunOf(delivery);
      places.push(join(server.dataDir, "workspaces", id, "event-payload.json"));
    }
    const areThere = () => places.map((place) => existsSync(place));
    expect(areThere()).toEqual([true, true]);
    expect((await ask("DELETE", `/factories/acme/deliveries/${first}/payload`)).status).toBe(204);
    expect(areThere()).toEqual([false, true]);
    expect((await ask("DELETE", `/factories/acme/webhooks/${uid}/deliveries`)).status).toBe(200);
    expect(areThere()).toEqual([false, false]);
  });

  test("is one that no run needs any more", async () => {
    const given = stage();
    const delivery = await given.send('"stay, payload"');
    await runOf(given, delivery);
    expect((await given.ask("DELETE", `/factories/acme/deliveries/${delivery}/payload`)).status).toBe(409);
    expect((await given.ask("GET", `/factories/acme/deliveries/${delivery}/payload`)).status).toBe(200);
  });
});

test("the deliveries of a webhook are deleted but those whose runs have not ended, and what is sent again starts nothing", async () => {
  const given = await newStage();
  const { server, story, uid } = given;
  for (const body of ["1", "2"]) await story.endedRunOf(await given.send(body));
  const staying = await given.send('"stay"');
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: "test-admin-key-0123456789" };
  const { printed, said, code } = await run(["deliveries", "delete-all", "ci"], env);
  expect([said, code]).toEqual(["", 0]);
  expect(printed).toBe("Deleted 2 deliveries; 1 remains until its runs have ended.\n");
  expect((await story.deliveries(uid)).map(({ delivery_id }) => delivery_id)).toEqual([staying]);
  await given.send("1");
  expect((await story.deliveries(uid)).map(({ outcome }) => outcome)).toEqual(["Duplicate", "Accepted"]);
  await waitFor(async () => (await story.runs()).length === 3);
});
