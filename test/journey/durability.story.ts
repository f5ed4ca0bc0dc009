import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { PROGRAM, startServer } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const TOKEN = "the-token-of-the-ci-webhook";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test("a delivery is on the disk before it is answered", async () => {
  expect(await whatHappens(PROGRAM)).toEqual(["received", "log synced", "answered"]);
});

test("without synchronous FULL it would not be, and this test would detect it", async () => {
  expect(await whatHappens(careless())).toEqual(["received", "answered"]);
});

test("a new master key is on the disk, with its name, before anything is sealed with it", async () => {
  const trace = join(temporaryFolder(), "trace");
  const wrapper = tracer(trace, "fsync,fdatasync,rename,renameat,renameat2");
  const server = await startServer({ sources: [folderWith(FACTORY)], wrapper });
  await server.stop();
  const lines = readFileSync(trace, "utf8").split("\n");
  const sequence = [
    /\bf(data)?sync\(\d+<[^>]*master\.key\.new>/,
    /\brename.*master\.key/,
    new RegExp(`\\bfsync\\(\\d+<${server.dataDir}>`),
    /\bf(data)?sync\(\d+<[^>]*millrace\.db-wal>/,
  ];
  let at = 0;
  for (const step of sequence) {
    at = lines.findIndex((line, index) => index >= at && step.test(line));
    expect(at, String(step)).toBeGreaterThanOrEqual(0);
  }
});

/** What writes down calls of the system. It is a grandchild (-D), so that signals reach the server itself. */
function tracer(trace: string, calls: string): string[] {
  return ["strace", "-D", "-f", "-y", "-s", "400", "-o", trace, "-e", `trace=${calls}`];
}

/** The program with one word changed: the log is not synced at each commit. */
function careless(): string {
  const folder = temporaryFolder("millrace-careless");
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
  for (const name of ["node_modules", "schemas", "package.json"])
    symlinkSync(join(ROOT, name), join(folder, name));
  const modules = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.c?js$/.test(path))
    .map((path) => join(folder, "dist", path));
  const careful = modules.filter((file) => readFileSync(file, "utf8").includes('sync = "FULL"'));
  expect(careful).not.toEqual([]);
  for (const file of careful) {
    writeFileSync(file, readFileSync(file, "utf8").replace('sync = "FULL"', 'sync = "NORMAL"'));
  }
  return join(folder, "dist/main.js");
}

/** What the system sees of a delivery: its bytes read, the write-ahead log synced, the answer written; in this order. */
async function whatHappens(program: string): Promise<string[]> {
  const trace = join(temporaryFolder(), "trace");
  const { server, story } = await serving(
    { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK },
    { CI_SECRET: TOKEN },
    { program, wrapper: tracer(trace, "read,recvfrom,recvmsg,fsync,fdatasync,write,writev,sendto,sendmsg") },
  );
  const { url } = await story.webhook("ci");
  await story.accept(url, TOKEN, '{"marker":"watch-me"}');
  await server.stop();

  const lines = readFileSync(trace, "utf8").split("\n");
  const received = lines.findIndex((line) => line.includes("watch-me"));
  const answered = lines.findIndex((line, index) => index > received && line.includes("HTTP/1.1 202"));
  const events = lines.slice(0, answered + 1).flatMap((line, index): string[] => {
    if (index < received) return [];
    if (line.includes("watch-me") && /\b(read|recv)/.test(line)) return ["received"];
    if (line.includes("HTTP/1.1 202")) return ["answered"];
    return isEndOfLogSync(line, lines.slice(0, index)) ? ["log synced"] : [];
  });
  return events.filter((event, index) => event !== events[index - 1]);
}

/** A sync of the write-ahead log that has returned, in one line or resumed: the lines before it say which file it was. */
function isEndOfLogSync(line: string, before: readonly string[]): boolean {
  if (/\bf(?:data)?sync\(\d+<[^>]*millrace\.db-wal>\)\s+= 0/.test(line)) return true;
  const resumed = /^(\d+) .*<\.\.\. f(?:data)?sync resumed>.*= 0/.exec(line);
  if (!resumed) return false;
  return (
    before.findLast((other) => other.startsWith(`${resumed[1]} `))?.includes("/millrace.db-wal>") ?? false
  );
}
