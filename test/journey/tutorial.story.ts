import { cpSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { freePort } from "../given/port.ts";
import { bash, blocksOf, pasted } from "../given/shell.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const tutorial = () => blocksOf("docs/tutorial.md", "sh tutorial");

test("the tutorial works to the letter", async () => {
  const folder = temporaryFolder("millrace-tutorial");
  for (const name of [
    "dist",
    "scripts",
    "src",
    "dashboard",
    "examples",
    "schemas",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.build.json",
  ]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const port = String(await freePort());
  const blocks = tutorial();
  expect(blocks).toHaveLength(9);
  expect(blocks[0]).toContain("127.0.0.1:8788");
  const { code, output, steps } = await pasted(
    blocks.map((block) => block.replaceAll("8788", port)),
    folder,
  );
  expect(code, output).toBe(0);
  expect(steps[3]).toContain("Valid: 0 agents, 1 automation, 1 webhook.");
  expect(steps[4]).toMatch(/status: +failed/);
  expect(steps[4]).toContain('there is no secret "CI_WEBHOOK_SECRET"');
  expect(steps[5]).toMatch(/status: +synced/);
  expect(steps[5]).toMatch(/ci +active +token .*http/);
  expect(steps[6]).toMatch(/^\{"delivery_id":/m);
  expect(steps[6]).toMatch(/^SUCCEEDED .* report$/m);
  expect(steps[6]).toContain("A build has failed on the main branch. Report it.");
  expect(steps[6]).toContain('{"status":"failed","branch":"main","commit":"4f2c1e9"}');
  expect(steps[7]).toContain(
    'FF_UNKNOWN_FIELD webhooks/ci.yaml:1:1\n  unknown key "secretNam": did you mean "secretName"?',
  );
  expect(steps[7]).toContain("The last valid definition stays active.");
  expect(steps[8]).toMatch(/status: +synced/);
  expect(existsSync(join(folder, "tutorial"))).toBe(false);
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  // Nine steps, some of them with a server of their own, which wait for each other.
});

test("a wait of the tutorial that is in vain ends, and shows the log of the server", async () => {
  const folder = folderWith({ "tutorial/server.log": "the reason\n" });
  const names = (tutorial()[0] ?? "").replace("npm run build", "").replace("seq 100", "seq 2");
  const { code, output } = await bash(folder, `${names}\nwait_for false || echo "went on"`);
  expect([code, output]).toEqual([
    0,
    "Timed out waiting for false. The log of the server:\nthe reason\nwent on\n",
  ]);
});
