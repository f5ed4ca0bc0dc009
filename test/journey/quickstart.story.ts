import { execFileSync, spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { onFinished } from "../given/cleanup.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { PROGRAM, run, waitFor } from "../given/server.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Starts the quickstart as `npm start` does. */
async function quickstart(dataDir: string) {
  const child = spawn(
    process.execPath,
    [PROGRAM, "quickstart", "--listen", "127.0.0.1:0", "--data-dir", dataDir],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH },
    },
  );
  onFinished(() => child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  await waitFor(() => (output.includes("Ctrl-C stops the server.") ? true : undefined));
  const stop = () => new Promise((resolve) => child.once("exit", resolve) && child.kill("SIGTERM"));
  const find = (pattern: RegExp) => pattern.exec(output)?.[1] ?? "";
  return { output, stop, find };
}

const sh = (script: string) => execFileSync("sh", ["-c", script], { cwd: ROOT, encoding: "utf8" });

describe("npm start", () => {
  test("prints a curl line; pasted, it starts a run that succeeds with what was sent", async () => {
    const { find, stop } = await quickstart(temporaryFolder());
    expect(sh(`${find(/^ {2}(curl .*)$/m)} --silent`)).toMatch(/^\{"delivery_id":/);
    const environment = find(/^ {2}(export .*)$/m);
    const list = () => sh(`${environment}; ${find(/^ {2}(node .* runs list)$/m)}`);
    await waitFor(() => (list().includes("SUCCEEDED") ? true : undefined));
    const id = /SUCCEEDED +(\S+)/.exec(list())?.[1] ?? "";
    const logs = sh(`${environment}; ${find(/^ {2}(node .* runs logs)$/m)} ${id}`);
    expect(logs).toContain("# The build of acme/shop failed");
    expect(logs).toContain(`"commit": "${find(/"commit":"(\w+)"/)}"`);
    const history = sh(`${environment}; ${find(/^ {2}(node .* )runs list$/m)} history --json`);
    expect(JSON.parse(history)).toMatchObject([{ asked_by: { reason: "start" } }]);
    await stop();
  });

  test("prints a curl line that starts another run each time that it is pasted, also after a restart", async () => {
    const dataDir = temporaryFolder();
    let pasted: string | undefined;
    for (const outcomes of [2, 4]) {
      const { find, stop } = await quickstart(dataDir);
      const line = find(/^ {2}(curl .*)$/m);
      // The line of the first start, at the port of this one.
      const address = /127\.0\.0\.1:\d+/;
      pasted = (pasted ?? line).replace(address, address.exec(line)?.[0] ?? "");
      for (let n = 0; n < 2; n += 1) sh(`${pasted} --silent`);
      const environment = find(/^ {2}(export .*)$/m);
      const deliveries = sh(
        `${environment}; ${find(/^ {2}(node .* )runs list$/m)} deliveries list --json | grep '"outcome"'`,
      );
      expect(deliveries.trim().split(/\s*\n\s*/)).toEqual(Array(outcomes).fill('"outcome": "Accepted",'));
      await stop();
    }
  });

  test("makes secret and key once, for this user alone, and prints them again at each start", async () => {
    const dataDir = temporaryFolder();
    const lines = /^ {2}curl .*$|^API key: .*$/gm;
    const first = await quickstart(dataDir);
    await first.stop();
    const second = await quickstart(dataDir);
    const withoutPort = (output: string) =>
      output
        .match(lines)
        ?.join("\n")
        .replace(/127\.0\.0\.1:\d+/, "")
        .replace(/"commit":"\w+"/, "")
        .replace(/Delivery-Id: \w+/, "");
    expect(withoutPort(second.output)).toBe(withoutPort(first.output));
    expect(second.output).toContain(`\nData folder: ${join(dataDir, "quickstart")}\n`);
    for (const name of readdirSync(join(dataDir, "quickstart")).filter(
      (file) => !file.includes("workspaces"),
    )) {
      expect([name, statSync(join(dataDir, "quickstart", name)).mode & 0o077]).toEqual([name, 0]);
    }
    await second.stop();
  });
});

test("npm start says why the example was not applied, and ends", async () => {
  const dataDir = folderWith({ "quickstart/webhook-secret": "" });
  const { code, said, printed } = await run(["quickstart", "--data-dir", dataDir], {
    MILLRACE_LISTEN: "127.0.0.1:0",
  });
  expect(code).toBe(1);
  expect(said).toMatch(/example factory could not be applied[\s\S]*QUICKSTART_WEBHOOK_SECRET/);
  expect(printed).not.toContain("/webhooks/w/");
});

describe("the set-up", () => {
  const setUp = (script: string, env: Record<string, string | undefined>) => {
    const child = spawn(process.execPath, ["-e", `${script}; require("./scripts/setup.cjs").setUp()`], {
      cwd: ROOT,
      env: { ...env },
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk;
    });
    return new Promise<{ code: number | null; said: string }>((resolve) =>
      child.on("close", (code) => resolve({ code, said })),
    );
  };

  test("says when Node is too old", async () => {
    const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.18.3" } })`;
    const { code, said } = await setUp(old, { PATH: process.env.PATH });
    expect(code).toBe(1);
    expect(said).toContain("millrace requires Node 20.19 or later; this is Node 20.18.3.");
  });

  test("says when git is missing", async () => {
    const { code, said } = await setUp("", { PATH: temporaryFolder() });
    expect(code).toBe(1);
    expect(said).toContain("git is missing.");
  });
});
