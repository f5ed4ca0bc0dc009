import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../given/folder.ts";
import { cuttingProxy } from "../../given/proxies.ts";
import { ok, scriptedServer } from "../../given/scripted-server.ts";

const PROGRAM = fileURLToPath(new URL("../../../dist/agent/millrace.cjs", import.meta.url));
const RUN = "0198c0de-0000-7000-8000-000000000001";

/** A file artifact with this path, as no millrace would list it. */
const fileAt = (filepath: string, size_bytes = 4) => ({
  artifact_type: "FILE",
  created_at: "2026-01-01T00:00:00Z",
  data: { artifact_uid: RUN, filepath, size_bytes },
});

/** Runs `millrace agent fetch` in a workspace, beside which lies a folder that is none of its business. */
async function fetching(
  files: object[],
  args: string[] = [],
  content = "evil",
  { cuts = [] as number[] } = {},
) {
  const around = temporaryFolder();
  const [workspace, outside] = [join(around, "workspace"), join(around, "outside")];
  mkdirSync(workspace);
  mkdirSync(outside);
  const server = await scriptedServer(ok({ run_id: RUN, artifacts: files }), {
    headers: { "content-type": "application/octet-stream" },
    body: content,
  });
  const { url } = cuts.length === 0 ? server : await cuttingProxy(server.url, cuts);
  return {
    workspace,
    outside,
    server,
    async run() {
      const child = spawn(process.execPath, [PROGRAM, "agent", "fetch", RUN, ...args], {
        cwd: workspace,
        env: { MILLRACE_API_URL: url, MILLRACE_RUN_ID: RUN, MILLRACE_RUN_TOKEN: "t" },
      });
      const code = new Promise<number | null>((resolve) => child.on("close", resolve));
      const [said, wrong] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: await code, said, wrong };
    },
  };
}

test.each(["../../x", "/etc/millrace-x", "a/../../b", "a\\..\\b", "..", "a//b", "a\u0000b", "C:x"])(
  "a file named %j is written nowhere, and the others are",
  async (path) => {
    const { run, workspace, outside } = await fetching([fileAt(path), fileAt("good.txt")]);
    const { code, wrong } = await run();
    expect([code, wrong]).toEqual([1, expect.stringContaining("is not safe for a file")]);
    expect(readdirSync(workspace, { recursive: true }).sort()).toEqual(["fetched", "fetched/good.txt"]);
    expect(readdirSync(outside)).toEqual([]);
  },
);

test("a file that another program would read as its settings gets another name", async () => {
  const { run, workspace } = await fetching([fileAt(".git/config")]);
  expect((await run()).code).toBe(0);
  expect(readFileSync(join(workspace, "fetched/_git/config"), "utf8")).toBe("evil");
});

test.each([[], ["--force"]])(
  "links in the workspace lead nowhere, with the options %j",
  async (...options) => {
    const files = [fileAt("file.txt"), fileAt("folder/file.txt")];
    const { run, workspace, outside } = await fetching(files, options);
    writeFileSync(join(outside, "file.txt"), "mine");
    mkdirSync(join(workspace, "fetched"));
    symlinkSync(outside, join(workspace, "fetched/folder"));
    symlinkSync(join(outside, "file.txt"), join(workspace, "fetched/file.txt"));
    const { code, wrong } = await run();
    expect(code).toBe(1);
    expect(wrong).toMatch(/folder is a link or a file.*--to/s);
    expect(readFileSync(join(outside, "file.txt"), "utf8")).toBe("mine");
    expect(readdirSync(outside)).toEqual(["file.txt"]);
  },
);

test("the folder itself may not be a link, which a repository can contain", async () => {
  const { run, workspace, outside } = await fetching([fileAt("file.txt")]);
  symlinkSync(outside, join(workspace, "fetched"));
  const { code, wrong } = await run();
  expect([code, wrong]).toEqual([6, expect.stringContaining("fetched is a link")]);
  expect(readdirSync(outside)).toEqual([]);
});

test("files of more than 256 MiB together are not begun with", async () => {
  const { run, server, workspace } = await fetching([
    fileAt("a", 200 * 1024 ** 2),
    fileAt("b", 200 * 1024 ** 2),
  ]);
  const { code, wrong } = await run();
  expect([code, wrong]).toEqual([1, expect.stringMatching(/the limit is 256 MiB.*Name some of them/s)]);
  expect(server.received).toHaveLength(1);
  expect(existsSync(join(workspace, "fetched"))).toBe(false);
});

test("a file that does not end where it was announced to end is not kept", async () => {
  const { run, workspace } = await fetching([fileAt("endless.txt", 10)], [], "x".repeat(1_000_000));
  const { code, wrong } = await run();
  expect([code, wrong]).toEqual([1, expect.stringContaining("larger than 10 bytes")]);
  expect(readdirSync(join(workspace, "fetched"))).toEqual([]);
});

test("a file whose download was cut off is downloaded again, and is whole", async () => {
  const content = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`).join("");
  const cuts = [50_000, 60_000];
  const { run, workspace } = await fetching([fileAt("a.txt", content.length)], [], content, { cuts });
  const { code, wrong } = await run();
  expect([code, wrong]).toEqual([0, ""]);
  expect(readFileSync(join(workspace, "fetched", "a.txt"), "utf8")).toBe(content);
});
