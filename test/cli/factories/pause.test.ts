import { expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

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
