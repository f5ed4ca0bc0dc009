import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { serveOverHttp } from "../given/git-http.ts";
import { repositoryWith } from "../given/repository.ts";
import { ADMIN_KEY, run, startServer, waitFor } from "../given/server.ts";
import { type Factory, storyOf } from "../given/story.ts";

const VALUE = "the-value-that-must-not-be-seen-anywhere";
const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };

const shared = sharedByFile(() => startServer({ sources: [folderWith(FACTORY)] }));

describe("a secret", () => {
  test("is set from standard input or a file, listed by name, and never seen again", async () => {
    const server = await startServer({ sources: [folderWith(files)] });
    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
    expect(await run(["secrets", "set", "CI_SECRET"], env, `${VALUE}\n`)).toMatchObject({ code: 0 });
    const file = join(folderWith({ value: VALUE }), "value");
    expect(await run(["secrets", "set", "OTHER", "--value-file", file], env)).toMatchObject({ code: 0 });
    const list = await run(["secrets", "list", "--json"], env);
    expect(JSON.parse(list.printed).map(({ name }: { name: string }) => name)).toEqual([
      "CI_SECRET",
      "OTHER",
    ]);

    const story = storyOf(server);
    await story.sync();
    const webhook = await story.webhook("ci");
    await story.accept(webhook.url, VALUE, "{}");
    await story.deliver(webhook.url, `${VALUE}x`, "{}");
    const answers = await Promise.all(
      [
        "/secrets",
        "/factories",
        `/factories/acme/webhooks/${webhook.uid}`,
        `/factories/acme/webhooks/${webhook.uid}/deliveries`,
        "/api-keys",
        "/factories/acme/automations",
      ].map((path) => server.api("GET", path)),
    );
    await server.stop();
    expect(JSON.stringify(answers)).not.toContain(VALUE);
    expect(server.log()).not.toContain(VALUE);
    expect(list.printed + list.said).not.toContain(VALUE);
    const stored = readdirSync(server.dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const entry of stored) {
      expect(readFileSync(join(entry.parentPath, entry.name)).includes(VALUE), entry.name).toBe(false);
    }
  });

  test("that a definition uses cannot be deleted; one that it does not use can", async () => {
    const server = await startServer({ sources: [folderWith(files)] });
    const story = storyOf(server);
    await story.setSecret("CI_SECRET", VALUE);
    await story.setSecret("SPARE", VALUE);
    await story.sync();
    await expect(server.api("DELETE", "/secrets/CI_SECRET")).rejects.toThrow(
      /409.*is used by the definition of \\"acme\\"/,
    );
    await server.api("DELETE", "/secrets/SPARE");
    await expect(server.api("DELETE", "/secrets/SPARE")).rejects.toThrow("404");
  });

  test("that an agent signs in with, or that opens a source, cannot be deleted either", async () => {
    const host = await serveOverHttp(repositoryWith(FACTORY).url, "the-git-token");
    const agent =
      "---\nagentType: FOREMAN\nharness: { auth: { source: managedSecret, secretName: AGENT_AUTH } }\n---\n";
    const factory = String(FACTORY["factory.yaml"])
      .replace("acme", "other")
      .replace("type: command", "type: claude");
    const source = folderWith({ "factory.yaml": factory, "agents/boss/agent.md": agent });
    const text = `factories:
  - { source: "${source}" }
  - { source: "${host.url}", credentials: { token: { secret: GIT_TOKEN } } }
`;
    const settings = join(folderWith({ "m.yaml": text }), "m.yaml");
    const server = await startServer({ sources: [], args: ["--config", settings] });
    await server.api("PUT", "/secrets/AGENT_AUTH", { value: VALUE, shared: true });
    // A credential of the settings is nobody else's: there is nothing to say of it.
    await server.api("PUT", "/secrets/GIT_TOKEN", { value: "the-git-token" });
    await waitFor(async () =>
      (await server.api<{ factories: Factory[] }>("GET", "/factories")).factories.every(
        ({ sync }) => sync.status === "synced",
      ),
    );
    await expect(server.api("DELETE", "/secrets/AGENT_AUTH")).rejects.toThrow(
      /409.*is used by the definition of \\"other\\"/,
    );
    await expect(server.api("DELETE", "/secrets/GIT_TOKEN")).rejects.toThrow(
      /409.*is used by the source of \\"acme\\".*millrace.yaml/,
    );
  });

  test.each([
    ["A-B", "x", "is not a valid secret name"],
    ["1A", "x", "is not a valid secret name"],
    ["A", "a\u0000b", "NUL"],
    ["A", "x".repeat(131_071), "too long"],
  ])("named %s with such a value is refused", async (name, value, expected) => {
    await expect(shared().api("PUT", `/secrets/${name}`, { value })).rejects.toThrow(expected);
  });

  test("takes effect in a repository with its next commit, an empty one too, and not with a sync", async () => {
    const repository = repositoryWith(files);
    const server = await startServer({ sources: [repository.url] });
    const story = storyOf(server);
    await story.setSecret("CI_SECRET", "the-old-value");
    await waitFor(async () => (await story.factory()).sync.status === "synced");
    const { url } = await story.webhook("ci");
    await story.setSecret("CI_SECRET", "the-new-value");
    await story.sync();
    expect((await story.deliver(url, "the-old-value", "1")).status).toBe(202);
    expect((await story.deliver(url, "the-new-value", "2")).status).toBe(401);
    repository.push({});
    await story.sync();
    expect((await story.deliver(url, "the-old-value", "3")).status).toBe(401);
    expect((await story.deliver(url, "the-new-value", "4")).status).toBe(202);
  });

  test("takes effect in a folder with the next sync", async () => {
    const server = await startServer({ sources: [folderWith(files)] });
    const story = storyOf(server);
    await story.setSecret("CI_SECRET", "the-old-value");
    await waitFor(async () => (await story.factory()).sync.status === "synced");
    const { url } = await story.webhook("ci");
    await story.setSecret("CI_SECRET", "the-new-value");
    expect((await story.deliver(url, "the-old-value", "1")).status).toBe(202);
    await story.sync();
    expect((await story.deliver(url, "the-new-value", "2")).status).toBe(202);
    expect((await story.deliver(url, "the-old-value", "3")).status).toBe(401);
  });

  test("of a url_token webhook has to fit a URL", async () => {
    const url_token = { ...files, "webhooks/ci.yaml": `authMode: url_token\n${TOKEN_WEBHOOK}` };
    const server = await startServer({ sources: [folderWith(url_token)] });
    const story = storyOf(server);
    await story.setSecret("CI_SECRET", "not/safe");
    const { sync } = await story.sync();
    expect(sync.problems).toContainEqual(
      expect.objectContaining({ code: "FF_INVALID_VALUE", path: "webhooks/ci.yaml", line: 2, column: 13 }),
    );
    await story.setSecret("CI_SECRET", "safe-._~123");
    expect((await story.sync()).sync.status).toBe("synced");
  });

  test("may be outside the store, in a variable or a file, which then takes precedence over the store", async () => {
    const file = join(folderWith({ value: `${VALUE}\n` }), "value");
    const settings = join(
      folderWith({ "m.yaml": `secrets:\n  CI_SECRET: { file: ${file} }\n  FROM_ENV: { env: OUTSIDE }\n` }),
      "m.yaml",
    );
    const repository = repositoryWith(files);
    const sources = [repository.url];
    const before = await startServer({ sources });
    await storyOf(before).setSecret("CI_SECRET", "the-value-in-the-store");
    await before.stop();
    const server = await startServer({
      sources,
      dataDir: before.dataDir,
      args: ["--config", settings],
      env: { OUTSIDE: "x" },
    });
    // Until then, the commit in force keeps the value that it was applied with.
    repository.push({});
    const story = storyOf(server);
    await story.sync();
    const { url } = await story.webhook("ci");
    expect((await story.deliver(url, VALUE, "{}")).status).toBe(202);
    expect((await story.deliver(url, "the-value-in-the-store", "{}")).status).toBe(401);
    await expect(story.setSecret("CI_SECRET", "other")).rejects.toThrow(/409.*comes from outside/);
    const { secrets } = await server.api<{ secrets: { name: string }[] }>("GET", "/secrets");
    expect(secrets.map(({ name }) => name)).toEqual(["CI_SECRET", "FROM_ENV"]);
  });
});
