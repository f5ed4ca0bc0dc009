import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { freePort } from "../../given/port.ts";
import { github, hookedServer, MAIN, SECRET } from "../../given/push-hook.ts";
import { repositoryWith, spyOnGit } from "../../given/repository.ts";
import { startServer, waitFor } from "../../given/server.ts";
import type { Factory } from "../../given/story.ts";

describe("a sender that does not prove to know the secret", () => {
  test("cannot learn which factories exist from when it is blocked", async () => {
    const { hook } = await hookedServer({
      MILLRACE_HOOK_SECRET: SECRET,
      MILLRACE_FAILED_AUTH_PER_MINUTE: "2",
    });
    const statusOf = async (name: string) => (await hook({}, MAIN, name)).status;
    expect([await statusOf("nobody"), await statusOf("nobody"), await statusOf("nobody")]).toEqual([
      401, 401, 429,
    ]);
    expect([await statusOf("acme"), await statusOf("nobody-else")]).toEqual([401, 401]);
  });

  test("is refused by a server that has no secret for hooks", async () => {
    const { hook, server } = await hookedServer({});
    expect((await hook(github(MAIN, ""))).status).toBe(401);
    expect((await hook({ "x-gitlab-token": "" })).status).toBe(401);
    expect(server.log()).toContain("MILLRACE_HOOK_SECRET");
  });
});

test("pushes that come together share a sync", async () => {
  const spy = spyOnGit();
  const { push, hook, isApplied } = await hookedServer({ MILLRACE_HOOK_SECRET: SECRET, PATH: spy.path });
  const before = spy.calls().length;
  const commit = push();
  const answers = await Promise.all(Array.from({ length: 30 }, () => hook(github(MAIN))));
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(202));
  await isApplied(commit);
  const questions = spy
    .calls()
    .slice(before)
    .filter((call) => call.startsWith("ls-remote"));
  // One look began with the first push; those that came meanwhile share the next, and stragglers one more.
  expect(questions.length).toBeLessThan(10);
});

describe("the secret", () => {
  test("a secret in a file may change without a restart", async () => {
    const file = join(folderWith({ secret: `${SECRET}\n` }), "secret");
    const { push, hook, isApplied } = await hookedServer({ MILLRACE_HOOK_SECRET_FILE: file });
    expect((await hook(github(MAIN))).status).toBe(202);
    writeFileSync(file, "another-secret-now");
    expect((await hook(github(MAIN))).status).toBe(401);
    const commit = push();
    expect((await hook(github(MAIN, "another-secret-now"))).status).toBe(202);
    await isApplied(commit);
  });

  test("a factory may have a secret of its own, which opens no other; hooks come in where senders do", async () => {
    const [one, two] = ["one", "two"].map((name) =>
      repositoryWith({ ...FACTORY, "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name) }),
    );
    const config = join(temporaryFolder(), "millrace.yaml");
    writeFileSync(
      config,
      JSON.stringify({
        factories: [
          { source: one?.url, hookSecret: { env: "HOOK_OF_ONE" } },
          { source: two?.url, hookSecret: { secret: "HOOK_OF_TWO" } },
        ],
      }),
    );
    const port = await freePort();
    const server = await startServer({
      sources: [],
      args: ["--config", config],
      env: { HOOK_OF_ONE: "secret-of-one", MILLRACE_WEBHOOK_LISTEN: `127.0.0.1:${port}` },
    });
    await server.api("PUT", "/secrets/HOOK_OF_TWO", { value: "secret-of-two" });
    await waitFor(async () => {
      const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
      return factories.every(({ sync }) => sync.status === "synced");
    });
    const hook = async (name: string, secret: string, url = server.url) => {
      const headers = github(MAIN, secret);
      return (await fetch(`${url}/hooks/git/${name}`, { method: "POST", headers, body: MAIN })).status;
    };
    expect(await hook("one", "secret-of-one")).toBe(202);
    expect(await hook("two", "secret-of-two", `http://127.0.0.1:${port}`)).toBe(202);
    expect(await hook("one", "secret-of-two")).toBe(401);
    expect(await hook("two", "secret-of-one")).toBe(401);
    const deleted = server.api("DELETE", "/secrets/HOOK_OF_TWO");
    await expect(deleted).rejects.toThrow(/409.*used by the source of/);
  });
});
