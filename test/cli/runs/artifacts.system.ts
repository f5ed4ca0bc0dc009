import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";

const AGENT = `
  import { mkdirSync, writeFileSync } from "node:fs";
  mkdirSync("artifacts/deep/.git/hooks", { recursive: true });
  mkdirSync("artifacts/.ssh", { recursive: true });
  writeFileSync("artifacts/report.txt", "from the run");
  writeFileSync("artifacts/deep/more.txt", "more");
  writeFileSync("artifacts/.ssh/rc", "evil");
  writeFileSync("artifacts/deep/.git/hooks/post-checkout", "evil", { mode: 0o755 });
  writeFileSync("artifacts/c:stream", "evil");`;

async function ranOnce() {
  const { server, run: runToEnd } = await serverWithAgent(AGENT);
  const { run_id } = await runToEnd();
  return { run_id, env: { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY } };
}

test("the artifacts of the newest run are listed, and its files are downloaded below the folder only", async () => {
  const { env, run_id } = await ranOnce();
  const listed = await run(["runs", "artifacts"], env);
  expect(listed.said).toContain(`Run ${run_id}, `);
  expect(listed.printed).toMatch(/^FILE +12 +report\.txt$/m);
  const shown = (await run(["runs", "get"], env)).printed;
  expect(shown).toContain(run_id);
  // What came of it is above what it was made of.
  expect(shown.indexOf("report.txt")).toBeGreaterThan(shown.indexOf("SUCCEEDED"));
  expect(shown.indexOf("report.txt")).toBeLessThan(shown.indexOf("source:"));
  const folder = join(temporaryFolder(), "new");
  const { code, printed, said } = await run(["runs", "artifacts", run_id, "--output", folder], env);
  expect([code, said]).toEqual([
    1,
    expect.stringContaining('Cannot download c:stream: The path "c:stream" is not safe'),
  ]);
  expect(printed).toContain(`wrote ${join(folder, "_ssh/rc")}\n`);
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  expect(files.sort()).toEqual(["_ssh/rc", "deep/_git/hooks/post-checkout", "deep/more.txt", "report.txt"]);
  expect(readFileSync(join(folder, "report.txt"), "utf8")).toBe("from the run");
  expect(statSync(join(folder, "deep/_git/hooks/post-checkout")).mode & 0o111).toBe(0);
});

test("a download follows no link, and replaces a file only with --force", async () => {
  const { env, run_id } = await ranOnce();
  const [folder, outside] = [temporaryFolder(), temporaryFolder()];
  symlinkSync(outside, join(folder, "deep"));
  symlinkSync(join(outside, "made-by-link"), join(folder, "_ssh"));
  writeFileSync(join(outside, "mine.txt"), "mine");
  symlinkSync(join(outside, "mine.txt"), join(folder, "report.txt"));
  const download = (...more: string[]) =>
    run(["runs", "artifacts", run_id, "--output", folder, ...more], env);
  const refused = await download();
  expect(refused.code).toBe(1);
  expect(refused.said).toContain("report.txt already exists. Use --force to replace it");
  expect(refused.said).toContain("deep is a link or a file, so nothing is written below it.");
  expect(readdirSync(outside)).toEqual(["mine.txt"]);
  const forced = await download("--force");
  expect(forced.printed).toContain(`wrote ${join(folder, "report.txt")}\n`);
  expect(readFileSync(join(folder, "report.txt"), "utf8")).toBe("from the run");
  expect(readFileSync(join(outside, "mine.txt"), "utf8")).toBe("mine");
  expect(readdirSync(outside)).toEqual(["mine.txt"]);
  expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
});

test("two downloads at once write each file once, and as a whole", async () => {
  const { env, run_id } = await ranOnce();
  const folder = temporaryFolder();
  mkdirSync(join(folder, "deep"));
  const [one, two] = await Promise.all(
    [1, 2].map(() => run(["runs", "artifacts", run_id, "--output", folder], env, "", { ownProcess: true })),
  );
  const wrote = `${one?.printed}${two?.printed}`.match(/^wrote .*report\.txt$/gm);
  expect(wrote).toHaveLength(1);
  expect(readFileSync(join(folder, "deep/more.txt"), "utf8")).toBe("more");
  expect(existsSync(join(folder, "report.txt"))).toBe(true);
});
