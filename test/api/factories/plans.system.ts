import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { type Files, folderWith } from "../../given/folder.ts";
import { managedBy } from "../../given/managed.ts";
import { startServer } from "../../given/server.ts";
import { AMPLE_BUDGETS, serving } from "../../given/serving.ts";
import { storeOf } from "../../given/store.ts";

type Plan = components["schemas"]["Plan"];

const filtered = (...kinds: string[]): Files => ({
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"], { kind: kinds }),
  "automations/steady.md": automationOn(["ci"], { kind: ["old"] }),
});

const filesOf = (files: Files) =>
  Object.entries(files).map(([path, content]) => ({ path, content: content.toString() }));

/** A server that has taken two deliveries of the kind old, and five of the kind new. */
const shared = sharedByFile(async () => {
  const { server, story } = await serving(filtered("old"), { CI_SECRET: "token" }, { env: AMPLE_BUDGETS });
  const url = await story.urlOf("ci");
  const ids: string[] = [];
  for (let n = 0; n < 7; n += 1) {
    ids.push(await story.accept(url, "token", JSON.stringify({ n, kind: n < 2 ? "old" : "new" })));
  }
  return { server, story, ids };
});

const plan = (body: object) => ask<Plan>(shared().server, "POST", "/factories/acme/plan", { body });

describe("a plan over HTTP", () => {
  test("says what the deliveries of the last days would have started", async () => {
    const { ids } = shared();
    const { body } = await plan({ files: filesOf(filtered("new")) });
    expect(body.traffic).toMatchObject({ deliveries: 7, complete: true });
    expect(body.traffic?.automations).toEqual([
      {
        name: "a",
        before: 2,
        after: 5,
        starts: ids.slice(2).reverse(),
        stops: ids.slice(0, 2).reverse(),
      },
      { name: "steady", before: 2, after: 2, starts: [], stops: [] },
    ]);
  });

  test("says what the runs of an automation cost, where its last ones tell", async () => {
    const { server } = shared();
    const { connection, spend } = await storeOf(server);
    const { automations } = await server.api<components["schemas"]["AutomationList"]>(
      "GET",
      "/factories/acme/automations",
    );
    const uid = automations.find(({ name }) => name === "a")?.uid ?? "";
    await connection.run(
      `INSERT INTO run_usage (run_id, turn, model, input_tokens, output_tokens, cached_tokens, cost_usd, reported_at,
         source, factory_uid, automation_uid)
       SELECT run_id, 1, 'm', 1, 1, 0, 0.25, created_at, 'harness', factory_uid, automation_uid FROM runs
       WHERE automation_uid = $1`,
      [uid],
    );
    await expect.poll(() => spend.listRunCosts(uid, 50)).toEqual([0.25, 0.25]);
    const { body } = await plan({ files: filesOf(filtered("new")) });
    expect(body.traffic?.automations).toMatchObject([{ name: "a", cost: { median: 0.25, runs: 2 } }, {}]);
    expect(body.traffic?.automations[1]).not.toHaveProperty("cost");
  });

  test("of a file in an editor shows the active definition with that file changed or removed", async () => {
    const path = "automations/a.md";
    const changed = await plan({ changes: [{ path, content: filtered("new")[path] }], traffic: false });
    expect(changed.body).toMatchObject({ revision: null, applicable: true, traffic: null });
    expect(changed.body.changes.filter(({ action }) => action !== "unchanged")).toEqual([
      expect.objectContaining({ action: "update", kind: "automation", name: "a" }),
    ]);
    const wrong = "---\ntriggers:\n  - { provider: webhook, evnet: received }\n---\nDo it.\n";
    const { body } = await plan({ changes: [{ path, content: wrong }] });
    expect(body.applicable).toBe(false);
    expect(body.problems).toContainEqual(expect.objectContaining({ path, line: 3, column: 26 }));
    const without = await plan({ changes: [{ path, content: null }] });
    expect(without.body.summary).toMatchObject({ delete: 1, update: 0, create: 0 });
  });

  test.each([
    ["names that differ in case alone", [{ path: "webhooks/CI.yaml", content: "secretName: X\n" }], 409],
    ["the deletion of a file that is not there", [{ path: "webhooks/none.yaml", content: null }], 404],
  ])("of files in an editor refuses %s, as saving them does", async (_, changes, status) => {
    expect((await plan({ changes })).status).toBe(status);
  });

  test("shows nothing of a factory that it would go on with, and that the key does not reach", async () => {
    const source = folderWith({ "README.md": "Nothing yet." });
    const settings = `factories:\n  - source: ${source}\n    goesOnWith: acme\n`;
    const args = ["--config", join(folderWith({ "millrace.yaml": settings }), "millrace.yaml")];
    const { server, call } = managedBy(await startServer({ sources: [], args }), "acme");
    await server.api("POST", "/factories", { name: "acme" });
    await call("POST", "/webhooks", { body: { name: "private" } });
    await call("POST", "/suspend");
    const { factories } = await server.api<components["schemas"]["FactoryList"]>("GET", "/factories");
    const { name = "" } = factories.find(({ mode }) => mode === "folder") ?? {};
    const asking = (key: string) =>
      ask<Plan>(server, "POST", `/factories/${name}/plan`, { key, body: { files: filesOf(FACTORY) } });

    const refused = await asking(await aKey(server, { role: "viewer", factories: [name] }));
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).not.toContain("private");
    const { status, body } = await asking(await aKey(server, { role: "viewer", factories: [name, "acme"] }));
    expect(status).toBe(200);
    expect(body.changes).toContainEqual(expect.objectContaining({ action: "delete", name: "private" }));
  });

  test("does not replay deliveries when the caller asks for that, or when there is no valid definition", async () => {
    expect((await plan({ files: filesOf(filtered("new")), traffic: false })).body.traffic).toBeNull();
    const broken = { ...filtered("new"), "webhooks/w.yaml": "x: 1\n" };
    const { status, body } = await plan({ files: filesOf(broken) });
    expect(status).toBe(200);
    expect(body).toMatchObject({ applicable: false, changes: [], traffic: null });
    expect(body.problems).toContainEqual(expect.objectContaining({ path: "webhooks/w.yaml" }));
  });

  test("of the source as it is changes nothing, and names its revision", async () => {
    const factory = await shared().story.factory();
    const { body } = await plan({});
    expect(body).toMatchObject({
      revision: factory.sync.applied_revision,
      applicable: true,
      summary: { create: 0, update: 0, delete: 0 },
    });
  });

  test("is open to every viewer, and writes nothing", async () => {
    const { server, story } = shared();
    const before = await story.factory();
    const key = await aKey(server, { role: "viewer" });
    const files = filesOf(filtered("new"));
    const answer = await ask(server, "POST", "/factories/acme/plan", { key, body: { files } });
    expect(answer.status).toBe(200);
    expect(await story.factory()).toEqual(before);
    const limited = await aKey(server, { role: "viewer", factories: ["acme"] });
    expect((await ask(server, "POST", "/factories/nobody/plan", { key: limited, body: {} })).status).toBe(
      404,
    );
    expect((await ask(server, "POST", "/factories/acme/plan", { key: "", body: {} })).status).toBe(401);
  });

  test.each([
    ["two subjects at once", { ref: "main", pull_request: 1 }],
    ["files beside changes", { files: [], changes: [{ path: "factory.yaml", content: "" }] }],
    ["a change outside the definition", { changes: [{ path: "README.md", content: "" }] }],
    ["a change that leads out", { changes: [{ path: "../factory.yaml", content: "" }] }],
    ["no change at all", { changes: [] }],
    ["an unknown key", { branch: "main" }],
    ["a commit of a folder", { ref: "main" }],
    ["a path that leads out", { files: [{ path: "../etc/passwd", content: "" }] }],
    ["an absolute path", { files: [{ path: "/factory.yaml", content: "" }] }],
    ["a path with a backslash", { files: [{ path: "webhooks\\ci.yaml", content: "" }] }],
    ["a path twice", { files: [1, 2].map(() => ({ path: "factory.yaml", content: "" })) }],
  ])("refuses %s", async (_, body) => {
    expect((await plan(body)).status).toBe(400);
  });

  test("takes hostile files for what they are", async () => {
    const deep = `${"a: { ".repeat(5_000)}${"}".repeat(5_000)}\n`;
    const bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
    const files = [
      { path: "webhooks/deep.yaml", content: deep },
      { path: "webhooks/bomb.yaml", content: bomb },
      { path: "webhooks/nul.yaml", content: "secretName: A\u0000B\n" },
      { path: ".git/config", content: "[core]\n\thooksPath = /tmp\n" },
      { path: "__proto__/x.yaml", content: "x: 1\n" },
      { path: `webhooks/${"x".repeat(300)}.yaml`, content: "secretName: A\n" },
    ];
    const { status, body } = await plan({ files: [...filesOf(filtered("new")), ...files] });
    expect([status, body.applicable]).toEqual([200, false]);
    expect(
      new Set(body.problems.filter(({ severity }) => severity === "error").map(({ path }) => path)),
    ).toEqual(new Set(["webhooks/deep.yaml", "webhooks/bomb.yaml", "webhooks/nul.yaml", "factory.yaml"]));
    const ofPaths = body.problems.filter(({ code }) => code === "FF_UNSUPPORTED_PATH");
    expect(ofPaths.map(({ message }) => message)).toEqual([
      expect.stringContaining("points into the .git folder"),
      expect.stringContaining("contains a name that is longer than the limit for a file name"),
    ]);
  });
});
