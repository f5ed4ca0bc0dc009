import { describe, expect, test } from "vitest";
import { aKey, ask, makeKey } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { listeningTo, managedBy, serveManaged } from "../../given/managed.ts";
import { repositoryWith } from "../../given/repository.ts";
import { startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

const kept = sharedByFile(serveManaged);

describe("edits at the same time", () => {
  test("of the same version: one is applied, and the others get 412 because the version has changed", async () => {
    const { create, call, tagOf, revisions } = kept();
    const { uid } = await create({ name: "contended" });
    const tag = await tagOf(`/webhooks/${uid}`);
    const before = (await revisions()).length;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call("PATCH", `/webhooks/${uid}`, {
          headers: { "if-match": tag },
          body: { delivery_id_header: `X-Id-${n}` },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    expect((await revisions()).length).toBe(before + 1);
  });

  test("of different things are all applied, each with its own commit", async () => {
    const { server, git, call, factory } = kept();
    await server.api("POST", "/factories", { name: "busy" });
    const busy = managedBy(server, "busy");
    const made = await Promise.all(Array.from({ length: 20 }, (_, n) => busy.create({ name: `hook-${n}` })));
    expect(new Set(made.map(({ secret_name }) => secret_name)).size).toBe(20);
    expect(await Promise.all(made.map(({ url, secret }) => busy.deliver(url, secret)))).toEqual(
      made.map(() => 202),
    );
    expect((await busy.git("log", "--format=%s", "main")).split("\n")).toHaveLength(21);
    expect((await busy.factory()).sync.applied_revision).toBe(await busy.git("rev-parse", "main"));
    const more = await busy.call("POST", "/webhooks", { body: { name: "one-too-many" } });
    expect([more.status, more.body.detail]).toEqual([400, expect.stringContaining("the limit is 20")]);
    expect(await call("GET", "/files").then(({ status }) => status)).toBe(200);
    expect((await factory()).sync.applied_revision).toBe(await git("rev-parse", "main"));
  });
});

describe("If-Match", () => {
  test("is required for what exists, and must match its current version", async () => {
    const { create, call } = kept();
    const { uid } = await create({ name: "matched" });
    await call("PUT", "/automations/matched", { body: { content: listeningTo("matched") } });
    for (const [method, rest, body] of [
      ["PATCH", `/webhooks/${uid}`, { enabled: false }],
      ["DELETE", `/webhooks/${uid}`, undefined],
      ["PUT", "/automations/matched", { content: listeningTo("matched", "Other.") }],
      ["DELETE", "/automations/matched", undefined],
      ["PUT", "/files/webhooks%2Fmatched.yaml", { content: "secretName: X\n" }],
      ["DELETE", "/files/webhooks%2Fmatched.yaml", undefined],
    ] as const) {
      for (const headers of [{}, { "if-match": '"stale"' }] as Record<string, string>[]) {
        const { status, body: problem } = await call(method, rest, { headers, body });
        expect([method, rest, status, problem.field]).toEqual([method, rest, 412, "If-Match"]);
      }
    }
    const any = { "if-match": "*" };
    expect((await call("DELETE", "/automations/matched", { headers: any })).status).toBe(204);
    const made = await call("PUT", "/automations/new", { headers: any, body: { content: listeningTo("x") } });
    expect(made.status).toBe(412);
  });
});

describe("a person who edits", () => {
  const CALLS = (uid: string) =>
    [
      ["POST", "/webhooks", { name: "by-rights" }],
      ["PATCH", `/webhooks/${uid}`, { enabled: true }],
      ["POST", `/webhooks/${uid}/rotate-secret`, {}],
      ["PUT", "/automations/by-rights", { content: listeningTo("by-rights") }],
      ["PUT", "/files/automations%2Fby-files.md", { content: listeningTo("by-rights") }],
      ["DELETE", "/automations/by-rights", undefined],
      ["DELETE", "/files/automations%2Fby-files.md", undefined],
      ["DELETE", `/webhooks/${uid}`, undefined],
    ] as const;

  test("may change a definition only with an admin key that reaches the factory", async () => {
    const { server, call, create } = kept();
    const { uid: other } = await server.api<{ uid: string }>("POST", "/factories", { name: "elsewhere" });
    const { uid: own } = await server.api<{ uid: string }>("GET", "/factories/default");
    const { uid } = await create({ name: "of-rights" });
    const headers = { "if-match": "*" };
    const tryAll = async (key: string) => {
      const statuses: number[] = [];
      for (const [method, rest, body] of CALLS(uid)) {
        const existing = method === "PUT" ? {} : { headers };
        statuses.push((await call(method, rest, { key, body, ...existing })).status);
      }
      return statuses;
    };
    expect(await tryAll("")).toEqual(CALLS(uid).map(() => 401));
    for (const role of ["viewer", "operator"] as const) {
      expect(await tryAll(await aKey(server, { role }))).toEqual(CALLS(uid).map(() => 403));
    }
    expect(await tryAll(await aKey(server, { role: "admin", factories: [other] }))).toEqual(
      CALLS(uid).map(() => 404),
    );
    const statuses = await tryAll(await aKey(server, { role: "admin", factories: [own] }));
    expect(statuses).toEqual([201, 200, 200, 201, 201, 204, 204, 204]);
  });

  test("may create a factory only with an admin key that is not limited to some", async () => {
    const { server } = kept();
    const { uid } = await server.api<{ uid: string }>("GET", "/factories/default");
    const statusWith = async (key: string) =>
      (await ask(server, "POST", "/factories", { key, body: { name: "by-rights" } })).status;
    expect(await statusWith(await aKey(server, { role: "operator" }))).toBe(403);
    expect(await statusWith(await aKey(server, { role: "admin", factories: [uid] }))).toBe(403);
    expect(await statusWith(await aKey(server, { role: "admin" }))).toBe(201);
  });

  test("is recorded in the history, in the commit and in the audit log, with the change", async () => {
    const { server, revisions, git, create } = kept();
    const { key } = await makeKey(server, { name: "Ann <ann>\n", role: "admin" });
    await ask(server, "POST", "/factories/default/webhooks", { key, body: { name: "by-ann" } });
    const [newest] = await revisions();
    expect(newest).toMatchObject({
      message: "Add the webhook by-ann",
      outcome: "applied",
      is_in_force: true,
      changes: [{ action: "create", kind: "webhook", name: "by-ann" }],
      asked_by: { reason: "edit", principal: { type: "user" } },
    });
    expect(await git("log", "-1", "--format=%an|%cn|%s", "main")).toBe(
      "Ann ann|millrace|Add the webhook by-ann",
    );
    const { audit_log } = await server.api<{ audit_log: object[] }>("GET", "/audit-log");
    expect(audit_log[0]).toMatchObject({ action: "createWebhook", subject: "default", status: 201 });
    expect((await create({ name: "after-ann" })).status).toBe("active");
  });
});

describe("a definition that is stored elsewhere", () => {
  test("is not changed here, and the answer says which file of which repository to change", async () => {
    const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": listeningTo("ci") };
    const inFolder = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`deploy/${path}`, text]),
    );
    const repository = repositoryWith(inFolder);
    const server = await startServer({ sources: [repository.url], args: ["--path", "deploy"] });
    await server.api("PUT", "/secrets/CI_SECRET", { value: "x" });
    await storyOf(server).sync();
    const acme = managedBy(server, "acme");
    const [webhook] = await acme.webhooks();
    const remedyOf = async (method: string, rest: string, body?: unknown) => {
      const answer = await acme.call(method, rest, { headers: { "if-match": "*" }, body });
      return [answer.status, answer.body.remedy];
    };
    const into = `in ${repository.url} and push the change to the branch main.`;
    expect(await remedyOf("POST", "/webhooks", { name: "x" })).toEqual([
      409,
      `Add deploy/webhooks/x.yaml ${into}`,
    ]);
    expect(await remedyOf("PATCH", `/webhooks/${webhook?.uid}`, {})).toEqual([
      409,
      `Change deploy/webhooks/ci.yaml ${into}`,
    ]);
    expect(await remedyOf("DELETE", "/automations/a")).toEqual([
      409,
      `Delete deploy/automations/a.md ${into}`,
    ]);
    expect(await remedyOf("PUT", "/files/factory.yaml", { content: "" })).toEqual([
      409,
      `Change deploy/factory.yaml ${into}`,
    ]);
    expect(await remedyOf("POST", `/webhooks/${webhook?.uid}/rotate-secret`)).toEqual([
      409,
      `Run \`millrace secrets set CI_SECRET\`, then push a commit to the branch main of ${repository.url}; an empty commit is enough.`,
    ]);
    expect(await remedyOf("POST", `/webhooks/${webhook?.uid}/rotate-secret`, { overlap: "24h" })).toEqual([
      409,
      "Set the new value as another secret, then set secretName to it in deploy/webhooks/ci.yaml, with `millrace: {previousSecretName: CI_SECRET, until: TIME}`.",
    ]);
    expect((await acme.call("GET", "/files")).status).toBe(200);
    expect((await acme.call("GET", "/files/webhooks/ci.yaml")).body.content).toBe(TOKEN_WEBHOOK);
  });

  test("in a folder, is changed in that folder", async () => {
    const folder = folderWith(FACTORY);
    const server = await startServer({ sources: [folder] });
    await storyOf(server).sync();
    const answer = await ask(server, "POST", "/factories/acme/webhooks", { body: { name: "x" } });
    expect([answer.status, answer.body.remedy]).toEqual([409, `Add ${folder}/webhooks/x.yaml.`]);
  });
});

test("a suspended factory is not changed until it is resumed", async () => {
  const { server } = kept();
  await server.api("POST", "/factories", { name: "held" });
  const held = managedBy(server, "held");
  const { uid } = await held.create({ name: "before" });
  await server.api("POST", "/factories/held/suspend");
  for (const [method, rest, body] of [
    ["POST", "/webhooks", { name: "x" }],
    ["PATCH", `/webhooks/${uid}`, { enabled: false }],
    ["POST", `/webhooks/${uid}/rotate-secret`, {}],
    ["PUT", "/files/automations%2Fa.md", { content: listeningTo("before") }],
  ] as const) {
    const refused = await held.call(method, rest, { headers: { "if-match": "*" }, body });
    expect([method, refused.status, refused.body.remedy]).toEqual([
      method,
      409,
      "Run `millrace resume held` first.",
    ]);
  }
  await server.api("POST", "/factories/held/resume");
  expect((await held.change("PATCH", `/webhooks/${uid}`, { enabled: false })).status).toBe(200);
});

test("an invalid name is refused, wherever it is given", async () => {
  const { call, git, server } = kept();
  const before = await git("rev-parse", "main");
  const names = ["../x", "a/b", ".git", "..", ".hidden", "x".repeat(300), "a\nb", "a\0b", "a\\b", ""];
  for (const name of names) {
    const { status } = await call("POST", "/webhooks", { body: { name } });
    expect([name, status]).toEqual([name, 400]);
  }
  for (const name of names.filter((each) => each !== "" && each !== ".." && each !== "a/b")) {
    const path = `/automations/${encodeURIComponent(name)}`;
    const { status } = await call("PUT", path, { body: { content: listeningTo("x") } });
    expect([name, status]).toEqual([name, 400]);
  }
  for (const name of ["", " a", "a/b", "../a", "a\n", "x".repeat(61), "-a"]) {
    expect([name, (await ask(server, "POST", "/factories", { body: { name } })).status]).toEqual([name, 400]);
  }
  expect(await git("rev-parse", "main")).toBe(before);
});
