import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { serveManaged } from "../../given/managed.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";

const kept = sharedByFile(() => serveManaged());

const millrace = (...args: string[]) =>
  run(args, { MILLRACE_SERVER: kept().server.url, MILLRACE_API_KEY: ADMIN_KEY });

test("a command that was interrupted prints the same secret when it is repeated with its key", async () => {
  await kept().create({ name: "ci" });
  for (const command of [
    ["webhooks", "create", "made"],
    ["webhooks", "rotate-secret", "ci"],
    ["keys", "create", "--name", "made"],
  ]) {
    const repeated = () => millrace(...command, "--idempotency-key", command.join("-"));
    const [first, again] = [await repeated(), await repeated()];
    expect([first.code, again.code]).toEqual([0, 0]);
    expect(first.printed).not.toBe("");
    expect(again.printed).toBe(first.printed);
  }
});

test("without a key of its own, each rotation is another one, and a key on this machine takes none", async () => {
  await kept().create({ name: "twice" });
  const rotate = () => millrace("webhooks", "rotate-secret", "twice");
  expect((await rotate()).printed).not.toBe((await rotate()).printed);
  const local = await millrace("keys", "create", "--local", "--name", "n", "--idempotency-key", "k");
  expect(local.code).toBe(2);
});
