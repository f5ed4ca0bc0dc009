import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { onFinished, sharedByFile } from "../../given/cleanup.ts";
import { serveManaged } from "../../given/managed.ts";
import { ADMIN_KEY, MILLRACE, waitFor } from "../../given/server.ts";

const kept = sharedByFile(() => serveManaged());

/** Runs a command at a terminal of its own, and types into it when it asks. */
async function atTerminal(args: readonly string[], keys: string) {
  const command = [...MILLRACE, ...args].join(" ");
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    env: { ...process.env, MILLRACE_SERVER: kept().server.url, MILLRACE_API_KEY: ADMIN_KEY },
  });
  onFinished(() => void child.kill("SIGKILL"));
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk;
  });
  await waitFor(async () => shown.includes("press Ctrl-D") || undefined);
  child.stdin.write(keys);
  const code = await new Promise((resolve) => child.on("exit", resolve));
  return { code, shown };
}

test("a secret that is typed at a terminal is set, and not shown", async () => {
  const { code, shown } = await atTerminal(["secrets", "set", "TYPED"], "typed-at-a-terminal\u0004");
  expect([code, shown]).toEqual([0, expect.stringContaining("Set secret TYPED")]);
  expect(shown).not.toContain("typed-at");
});

test("a signing secret may be corrected and have several lines, and is the one that senders use", async () => {
  const typed = "first wrong\u0015firt\u007fst\rsecönd\r\u0004";
  const create = ["webhooks", "create", "gh", "--signature-scheme", "github", "--secret-file", "-"];
  const { code, shown } = await atTerminal(create, typed);
  expect(code).toBe(0);
  expect(shown).not.toContain("sec\u00f6nd");
  const [webhook] = await kept().webhooks();
  const body = '{"n":1}';
  const signature = createHmac("sha256", "first\nsecönd").update(body).digest("hex");
  const headers = { "x-hub-signature-256": `sha256=${signature}`, "x-github-event": "ping" };
  const answer = await fetch(webhook?.url ?? "", { method: "POST", body, headers });
  expect(answer.status).toBe(202);
});

test("Ctrl-C ends the command, and nothing is set", async () => {
  const { code } = await atTerminal(["secrets", "set", "BROKEN_OFF"], "half\u0003");
  expect(code).not.toBe(0);
  const { secrets } = await kept().server.api<{ secrets: { name: string }[] }>("GET", "/secrets");
  expect(secrets.map(({ name }) => name)).not.toContain("BROKEN_OFF");
});
