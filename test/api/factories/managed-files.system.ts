import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { listeningTo, managedBy, serveManaged } from "../../given/managed.ts";
import { storyOf } from "../../given/story.ts";

const kept = sharedByFile(serveManaged);

interface Automation {
  name: string;
  prompt: string;
  content: string;
}

describe("an automation", () => {
  test("is written, fires, is changed and deleted with its tests", async () => {
    const { create, call, change, server } = await serveManaged();
    const { url, secret } = await create({ name: "ci" });
    const made = await call<Automation>("PUT", "/automations/report", {
      body: { content: listeningTo("ci") },
    });
    expect([made.status, made.body.prompt]).toEqual([201, "Do it."]);
    const story = storyOf(server);
    const run = await story.endedRunOf(await story.accept(url, secret ?? "", "{}"));
    expect(run.prompt).toContain("Do it.");

    const other = await change<Automation>("PUT", "/automations/report", {
      content: listeningTo("ci", "Other."),
    });
    expect([other.status, other.body.prompt, other.body.content]).toEqual([
      200,
      "Other.",
      listeningTo("ci", "Other."),
    ]);
    const beside = "automations%2Freport%2Ftests%2Fone.yaml";
    expect(
      (await call("PUT", `/files/${beside}`, { body: { content: "payload: { n: 1 }\nfires: true\n" } }))
        .status,
    ).toBe(201);
    expect((await change("DELETE", "/automations/report")).status).toBe(204);
    expect((await call("GET", "/automations/report")).status).toBe(404);
    expect((await call("GET", `/files/${beside}`)).status).toBe(404);
  });

  test("that is in a file of its own form stays there", async () => {
    const { call, change, git } = kept();
    await call("PUT", "/files/automations%2Fflat.md", { body: { content: listeningTo("ci") } });
    expect(
      (await change("PUT", "/automations/flat", { content: listeningTo("ci", "Changed.") })).status,
    ).toBe(200);
    expect(await git("ls-tree", "-r", "--name-only", "main", "automations/flat.md")).toBe(
      "automations/flat.md",
    );
  });

  test("that is not valid changes nothing, and every problem is told with its place", async () => {
    const { change, call, git } = kept();
    await call("PUT", "/automations/valid", { body: { content: listeningTo("ci") } });
    const before = await git("rev-parse", "main");
    const content = "---\ntriggers: []\ncolour: red\nenabled: 1\n---\nDo it.\n";
    const { status, body } = await change("PUT", "/automations/valid", { content });
    expect(status).toBe(400);
    expect(body.problems).toMatchObject([
      { path: "automations/valid/automation.md", line: 2, severity: "error" },
      { code: "FF_UNKNOWN_FIELD", line: 3 },
      { line: 4 },
    ]);
    expect(await git("rev-parse", "main")).toBe(before);
    expect((await call<Automation>("GET", "/automations/valid")).body.content).toBe(listeningTo("ci"));
  });
});

describe("the files of a definition", () => {
  test("make a whole factory, one after the other", async () => {
    const { server } = kept();
    await server.api("POST", "/factories", { name: "whole" });
    const whole = managedBy(server, "whole");
    const put = (path: string, content: string | Buffer) =>
      whole.call("PUT", `/files/${path}`, { body: { content: String(content) } });
    const early = await put("agents/boss/agent.md", FACTORY["agents/boss/agent.md"] ?? "");
    expect([early.status, early.body.detail]).toEqual([
      400,
      expect.stringContaining("factory.yaml is missing"),
    ]);
    expect((await put("skills/help/SKILL.md", "---\nname: help\n---\nHelp.\n")).status).toBe(201);
    expect((await put("skills/help/data.txt", "1, 2, 3\n")).status).toBe(201);
    expect(
      (
        await whole.call("PUT", "/files/skills/help/run.sh", {
          body: {
            content: Buffer.from([0xff, 0x00]).toString("base64"),
            encoding: "base64",
            executable: true,
          },
        })
      ).status,
    ).toBe(201);
    const { body } = await whole.call<{ files: { path: string; executable: boolean }[] }>(
      "GET",
      "/files?limit=2",
    );
    expect(body.files.map(({ path }) => path)).toEqual(["skills/help/SKILL.md", "skills/help/data.txt"]);
    const script = await whole.call("GET", "/files/skills/help/run.sh");
    expect(script.body).toMatchObject({ encoding: "base64", content: "/wA=", executable: true, size: 2 });
    expect(
      (await whole.change("PUT", "/files/skills%2Fhelp%2Frun.sh", { content: "echo" })).body.executable,
    ).toBe(true);
    expect((await whole.change("DELETE", "/files/skills%2Fhelp%2Fdata.txt")).status).toBe(204);
    expect((await whole.call("GET", "/files/skills/help/data.txt")).status).toBe(404);
  });

  test.each([
    "../etc/passwd",
    "/factory.yaml",
    "agents/../factory.yaml",
    ".git/config",
    "skills/x/.git/config",
    "skills/x/git~1/config",
    "skills/x\\y/SKILL.md",
    "README.md",
    "webhooks/a/b.yaml",
    "webhooks/a.yml",
    `agents/${"x".repeat(300)}/agent.md`,
    "skills/x/\u0001/SKILL.md",
    "skills/x//SKILL.md",
    "node_modules/x/y",
  ])("are not at %j", async (path) => {
    const { call, git } = kept();
    const before = await git("rev-parse", "main");
    const put = await call("PUT", `/files/${encodeURIComponent(path)}`, {
      body: { content: "secretName: X\n" },
    });
    expect([put.status, put.body.field]).toEqual([400, "path"]);
    const gone = await call("DELETE", `/files/${encodeURIComponent(path)}`, { headers: { "if-match": "*" } });
    expect(gone.status).toBe(404);
    expect(await git("rev-parse", "main")).toBe(before);
  });

  test("do not differ by case alone, nor take the place of a folder", async () => {
    const { call } = kept();
    const put = async (path: string) =>
      (await call("PUT", `/files/${encodeURIComponent(path)}`, { body: { content: "Text.\n" } })).status;
    expect(await put("skills/Case/SKILL.md")).toBe(201);
    expect(await put("skills/case/other.txt")).toBe(409);
    expect(await put("skills/Case/skill.md")).toBe(409);
    expect(await put("skills/Case")).toBe(409);
    expect(await put("skills/Case/SKILL.md/below")).toBe(409);
    expect(await put("skills/Case/other.txt")).toBe(201);
  });

  test("may be far too large, which is refused like in any definition", async () => {
    const { call } = kept();
    const content = `---\ntriggers: []\n---\n${"x".repeat(300 * 1024)}`;
    const { status, body } = await call("PUT", "/automations/large", { body: { content } });
    expect([status, body.detail]).toEqual([
      400,
      expect.stringContaining("the limit for a definition file is 262144"),
    ]);
  });

  test("change together, in one commit: a factory.yaml with its first agent, and a new name for the factory", async () => {
    const { server } = kept();
    await server.api("POST", "/factories", { name: "renamed-later" });
    const { uid } = await server.api("GET", "/factories/renamed-later");
    const later = managedBy(server, String(uid));
    const filesNamed = (name: string) =>
      Object.entries(FACTORY).map(([path, text]) => ({ path, content: String(text).replace("acme", name) }));
    const change = (files: object[], message?: string) =>
      later.call<{ revision: string; detail: string }>("POST", "/files", {
        body: { files, ...(message ? { message } : {}) },
      });

    const taken = await change(filesNamed("default"));
    expect([taken.status, taken.body.detail]).toEqual([
      409,
      expect.stringContaining('is already named "default": names are unique'),
    ]);
    const made = await change(filesNamed("renamed"), "Give it an agent");
    expect(made.status).toBe(200);
    expect(await later.git("log", "--format=%H %s", "-1", "main")).toBe(
      `${made.body.revision} Give it an agent`,
    );
    expect((await later.factory()).name).toBe("renamed");
    expect((await server.api("GET", "/factories/renamed")).uid).toBe(uid);

    const [first, second] = filesNamed("renamed");
    const both = [
      { ...first, content: null, etag: "*" },
      { ...second, content: null },
    ];
    expect(await change(both)).toMatchObject({
      status: 412,
      body: { field: "files", detail: expect.stringContaining(`${second?.path} already exists`) },
    });
    const gone = both.map((file) => ({ ...file, etag: "*" }));
    expect((await change(gone)).status).toBe(200);
    expect((await later.call("GET", "/files")).body.files).toEqual([]);
    const colliding = ["skills/A/SKILL.md", "skills/a/SKILL.md"].map((path) => ({ path, content: "x" }));
    expect((await change(colliding)).status).toBe(409);
  });
});
