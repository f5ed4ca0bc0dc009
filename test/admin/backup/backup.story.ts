import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { create } from "tar";
import { describe, expect, onTestFinished, test } from "vitest";
import { restoreBackup } from "../../../src/admin/backup/restore-backup.ts";
import { lockFile } from "../../../src/store/sqlite/sqlite.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { rowsOf } from "../../given/filled-store.ts";
import { folderWith, temporaryFolder, writeFiles } from "../../given/folder.ts";
import { MILLRACE, run, type Server, startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

const TOKEN = "the-token";
/** What a folder holds that was opened, and nothing else. */
const LOCKED = [".gitignore", "lock"];
const ENV = { MILLRACE_DELIVERIES_PER_MINUTE: "1000000" };
const SOURCE = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"], { start: [true] }),
};
const AGENT = `
import { mkdirSync, writeFileSync } from "node:fs";
console.log("what it wrote");
mkdirSync("artifacts", { recursive: true });
writeFileSync("artifacts/report.txt", "what it left");
`;

/** A server that has taken deliveries and executed a run, with the URL of its webhook. */
async function lived(agent = AGENT, env: Record<string, string> = {}) {
  const source = folderWith(SOURCE);
  const server = await startServer({ sources: [source], agent, env: { ...ENV, ...env } });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const url = await story.urlOf("ci");
  await story.accept(url, TOKEN, '{"start":true}');
  return { source, server, story, url };
}

/** One that goes on, whose run has ended, and a backup of it: for tests that change neither. */
const shared = sharedByFile(async () => {
  const given = await lived();
  await waitFor(async () => (await given.story.runs()).every(({ state }) => state === "SUCCEEDED"));
  return { ...given, file: await backedUp(given.server.dataDir) };
});

async function backedUp(dataDir: string, file = join(temporaryFolder(), "backup.tar")): Promise<string> {
  const { code, said } = await run(["backup", file, "--data-dir", dataDir]);
  expect([code, said]).toEqual([0, ""]);
  return file;
}

const restore = (file: string, dataDir: string, ...args: string[]) =>
  run(["restore", file, "--data-dir", dataDir, ...args]);

async function restored(file: string, ...args: string[]): Promise<string> {
  const dataDir = join(temporaryFolder(), "restored");
  const { code, said } = await restore(file, dataDir, ...args);
  expect([code, said]).toEqual([0, ""]);
  return dataDir;
}

const giveKey = (from: string, to: string) => cpSync(join(from, "master.key"), join(to, "master.key"));

/** Sends for as long as it is not told to stop. @returns how many were accepted */
async function sendUntil(stop: AbortSignal, story: ReturnType<typeof storyOf>, url: string): Promise<number> {
  let accepted = 0;
  const senders = Array.from({ length: 8 }, async (_, sender) => {
    for (let n = 0; !stop.aborted; n += 1) {
      await story.accept(url, TOKEN, JSON.stringify({ sender, n }));
      accepted += 1;
    }
  });
  await Promise.all(senders);
  return accepted;
}

describe("a backup", () => {
  test("that is made while deliveries come in contains every row up to one instant, unchanged", async () => {
    const { server, story, url } = await lived();
    await waitFor(async () => (await story.runs()).every(({ state }) => state === "SUCCEEDED"));
    const stop = new AbortController();
    const sending = sendUntil(stop.signal, story, url);
    await sleep(300);
    const file = await backedUp(server.dataDir);
    await sleep(300);
    stop.abort();
    const accepted = await sending;
    const dataDir = await restored(file);
    await server.stop();

    const [source, copy] = [server.dataDir, dataDir].map((folder) => rowsOf(join(folder, "millrace.db")));
    expect(Object.keys(copy ?? {})).toEqual(Object.keys(source ?? {}));
    for (const [table, rows] of Object.entries(copy ?? {})) {
      // The index of the search is made of the deliveries, and its parts are replaced by larger ones.
      if (/^delivery_(segment|term|search)/.test(table)) continue;
      // A log only grows: what the copy has is what the source began with.
      expect(rows, table).toEqual((source?.[table] ?? []).slice(0, rows.length));
    }
    const deliveries = copy?.deliveries?.length ?? 0;
    expect(deliveries).toBeGreaterThan(1);
    expect(deliveries).toBeLessThan(accepted);
  });

  test("of a stopped server contains every row of its databases and the files that runs left, and replaces neither", async () => {
    const { server, story } = await lived();
    await waitFor(async () => (await story.runs()).every(({ state }) => state === "SUCCEEDED"));
    await server.stop();
    const file = await backedUp(server.dataDir);
    const dataDir = await restored(file);
    for (const name of ["millrace.db", "millrace-transcripts.db"]) {
      expect(rowsOf(join(dataDir, name))).toEqual(rowsOf(join(server.dataDir, name)));
    }
    const artifacts = (folder: string) => readdirSync(join(folder, "artifacts"), { recursive: true }).sort();
    expect(artifacts(dataDir)).toEqual(artifacts(server.dataDir));
    expect(artifacts(dataDir)).toHaveLength(2);
    // A restore replaces no database.
    const before = rowsOf(join(server.dataDir, "millrace.db"));
    const { code, said } = await restore(file, server.dataDir);
    expect([code, said]).toEqual([6, expect.stringMatching(/The database .* already exists.*--data-dir/s)]);
    expect(rowsOf(join(server.dataDir, "millrace.db"))).toEqual(before);
  });

  test("removes what backups that were killed have left, and nothing of one that is being made", async () => {
    const { server } = await lived();
    await server.stop();
    mkdirSync(join(server.dataDir, "artifacts"), { recursive: true });
    const large = join(server.dataDir, "artifacts", "large");
    writeFileSync(large, "");
    truncateSync(large, 2 ** 30);
    const folder = temporaryFolder();
    const scratch = () => readdirSync(folder).filter((name) => name.startsWith("."));
    const begin = (name: string) => {
      const [command = "", ...words] = MILLRACE;
      const args = [...words, "backup", join(folder, name), "--data-dir", server.dataDir];
      const child = spawn(command, args, { stdio: "ignore" });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    // One that has ended before it could be killed, or has only begun, says nothing: then another is.
    for (
      let attempt = 0;
      !scratch().some((name) => existsSync(join(folder, name, "archive.tar")));
      attempt += 1
    ) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
      const child = begin(`killed-${attempt}.tar`);
      const ended = once(child, "exit");
      await waitFor(async () => child.exitCode !== null || scratch().length > 0);
      await sleep(100 * attempt);
      child.kill("SIGKILL");
      await ended;
    }
    const [left = ""] = scratch();
    const others = {
      ".notes.tar.aaaaaaaaaaaaaaaaaaaaaa/file": "kept",
      ".backup.tar/in-progress.lock": "kept",
    };
    writeFiles(folder, others);
    symlinkSync(join(folder, left), join(folder, ".link.tar.bbbbbbbbbbbbbbbbbbbbbb"));
    rmSync(large);

    const made = join(folder, ".made.tar.cccccccccccccccccccccc");
    mkdirSync(made);
    const release = lockFile(join(made, "in-progress.lock"));
    await backedUp(server.dataDir, join(folder, "next.tar"));
    release?.();
    expect(scratch().sort()).toEqual(
      [
        ".backup.tar",
        ".link.tar.bbbbbbbbbbbbbbbbbbbbbb",
        basename(made),
        ".notes.tar.aaaaaaaaaaaaaaaaaaaaaa",
      ].sort(),
    );
    await backedUp(server.dataDir, join(folder, "last.tar"));
    expect(scratch()).not.toContain(basename(made));
  });

  test("never holds the master key, and is for its owner alone", async () => {
    const { server, file } = shared();
    const key = readFileSync(join(server.dataDir, "master.key"), "utf8").trim();
    expect(readFileSync(file).includes(key)).toBe(false);
    expect(readFileSync(file).includes(TOKEN)).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("replaces no file, and leaves nothing behind when it cannot be made", async () => {
    const { server } = shared();
    const folder = folderWith({ "backup.tar": "something" });
    const taken = await run(["backup", join(folder, "backup.tar"), "--data-dir", server.dataDir]);
    expect([taken.code, taken.said]).toEqual([
      6,
      expect.stringContaining("Use a unique name for each backup"),
    ]);
    const nowhere = await run(["backup", join(folder, "new.tar"), "--data-dir", join(folder, "nothing")]);
    expect(nowhere.said).toMatch(/The database .*nothing.* does not exist.*--data-dir/s);
    expect(readdirSync(folder)).toEqual(["backup.tar"]);
    expect(readFileSync(join(folder, "backup.tar"), "utf8")).toBe("something");
  });
});

describe("an artifact whose file was damaged", () => {
  test("is not served, is named by doctor, and is named when a backup of it is restored", async () => {
    const { server, story } = await lived();
    await waitFor(async () => (await story.runs()).every(({ state }) => state === "SUCCEEDED"));
    const [left] = await story.runs();
    const [artifact] = (await story.run(left?.run_id ?? "")).artifacts ?? [];
    const id = artifact?.data.artifact_uid ?? "";
    writeFileSync(join(server.dataDir, "artifacts", left?.run_id ?? "", id), "what it lefT");
    const served = await server.fetch(`/api/v1/agent/artifacts/${id}/download`, {
      headers: { authorization: "Bearer test-admin-key-0123456789" },
    });
    expect([served.status, await served.text()]).toEqual([500, expect.stringContaining("is damaged")]);
    const examined = await run(["doctor", "--data-dir", server.dataDir]);
    expect(examined.printed + examined.said).toContain(id);
    const file = await backedUp(server.dataDir);
    const { code, printed } = await restore(file, join(temporaryFolder(), "restored"));
    expect([code, printed]).toEqual([0, expect.stringContaining(id)]);
  });
});

describe("a restored data folder", () => {
  test("serves the same URLs and secrets, knows what was accepted, and shows what runs wrote and left", async () => {
    const { server, story, source, url, file } = shared();
    const [before] = await story.runs();
    const dataDir = await restored(file);
    giveKey(server.dataDir, dataDir);
    const next = await startServer({ sources: [source], dataDir });
    const nextUrl = next.url + new URL(url).pathname;
    await storyOf(next).accept(nextUrl, TOKEN, '{"start":true}');
    await storyOf(next).sync();
    expect((await storyOf(next).runs()).map(({ run_id }) => run_id)).toEqual([before?.run_id]);
    const run = await storyOf(next).run(before?.run_id ?? "");
    expect(run.artifacts?.map((artifact) => artifact.data)).toEqual(
      before?.artifacts?.map(({ data }) => data),
    );
    const transcript = await next.fetch(`/api/v1/agent/runs/${before?.run_id}/transcript`, {
      headers: { authorization: "Bearer test-admin-key-0123456789" },
    });
    expect(await transcript.text()).toContain("what it wrote");
  });

  test("needs the master key of the old one", async () => {
    const { source, file } = shared();
    const dataDir = await restored(file);
    await expect(startServer({ sources: [source], dataDir })).rejects.toThrow("The master key is missing");
  });

  test("starts no run that was queued then, unless asked to", async () => {
    const busy = "setInterval(() => {}, 1_000)";
    const { server, source, story } = await lived(busy, { MILLRACE_RUN_CONCURRENCY: "1" });
    const file = await withWaitingRun(server, story);
    await server.kill();
    const careful = await restored(file);
    giveKey(server.dataDir, careful);
    const first = await startServer({ sources: [source], dataDir: careful });
    const [ended] = (await storyOf(first).runs()).filter(({ title }) => title === "waits");
    expect([ended?.state, ended?.status_message?.message]).toEqual([
      "ERROR",
      expect.stringMatching(/restored from a backup of 20.*A follow-up starts another turn/),
    ]);
    const asked = await restored(file, "--keep-waiting-runs");
    giveKey(server.dataDir, asked);
    const second = await startServer({ sources: [source], dataDir: asked });
    await waitFor(async () => {
      const [kept] = (await storyOf(second).runs()).filter(({ title }) => title === "waits");
      return kept?.state === "SUCCEEDED";
    });
  });
});

/** A backup of a time at which one run waits behind another. */
async function withWaitingRun(server: Server, story: ReturnType<typeof storyOf>): Promise<string> {
  await server.api("POST", "/agent/run", { prompt: "Go.", title: "waits", config: { name: "waits" } });
  const file = await backedUp(server.dataDir);
  expect((await story.runs()).length).toBe(2);
  return file;
}

describe("a restore", () => {
  test("touches no folder that a server has", async () => {
    const { server, file } = shared();
    expect((await restore(file, server.dataDir)).said).toContain("Another millrace process uses");
  });

  test.each([
    // It could be one of a version whose archives had no checksum.
    ["that was cut short", (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2)), LOCKED],
    ["in which a byte is another", (bytes: Buffer) => flipped(bytes), []],
    ["that is something else", () => Buffer.from("hello\n".repeat(1_000)), []],
    ["that is empty", () => Buffer.alloc(0), []],
  ])("refuses a file %s, and leaves nothing of it", async (_, damage, left) => {
    const file = join(temporaryFolder(), "damaged.tar");
    writeFileSync(file, damage(readFileSync(shared().file)));
    const dataDir = join(temporaryFolder(), "restored");
    const { code, said } = await restore(file, dataDir);
    expect(code).toBe(1);
    expect(said).toMatch(/Cannot restore .*: .*\n.*Nothing was changed/);
    expect(existsSync(dataDir) ? readdirSync(dataDir).sort() : []).toEqual(left);
  });

  test("says that there is no such file, or no such folder for a new one, and makes neither", async () => {
    const folder = temporaryFolder();
    const restored = await restore(join(folder, "none.tar"), join(folder, "data"));
    expect(restored.said).toMatch(/^Cannot restore .*none\.tar: there is no such file\.\n/);
    const file = join(folder, "none", "new.tar");
    const { said } = await run(["backup", file, "--data-dir", shared().server.dataDir]);
    expect(said).toContain(
      `Cannot create backup ${file}: the folder ${join(folder, "none")} does not exist.`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test("refuses a backup that was cut off at any of 200 places, or in which any of 200 bits is another", async () => {
    const bytes = readFileSync(shared().file);
    const folder = temporaryFolder();
    const file = join(folder, "backup.tar");
    const dataDir = join(folder, "data");
    const options = {
      settings: { dataDir, databaseUrl: undefined },
      keepsWaitingRuns: false,
      now: () => new Date(),
    };
    const places = Array.from({ length: 200 }, (_, n) =>
      n < 100 ? bytes.length - 1 - n * 17 : Math.floor((n - 100) * (bytes.length / 100)),
    );
    for (const at of places) {
      writeFileSync(file, bytes.subarray(0, at));
      await expect(restoreBackup({ file, ...options }), `cut at ${at}`).rejects.toThrow("Cannot restore");
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(file, other);
      await expect(restoreBackup({ file, ...options }), `bit at ${at}`).rejects.toThrow("Cannot restore");
    }
    expect(readdirSync(dataDir).sort()).toEqual([".gitignore", "lock"]);
    writeFileSync(file, bytes);
    expect((await restoreBackup({ file, ...options })).damaged).toEqual([]);
  });

  test("of a backup by an earlier version compares the artifacts with what was recorded, and wants its end", async () => {
    const sealed = readFileSync(shared().file);
    const end = sealed.lastIndexOf("\nmillrace backup, ");
    const text = sealed.subarray(0, end);
    const manifest = Buffer.from('"format": 2');
    const at = text.indexOf(manifest) + manifest.length - 1;
    const earlier = Buffer.from(text);
    earlier[at] = "1".charCodeAt(0);
    const folder = temporaryFolder();
    const file = join(folder, "backup.tar");
    const tried = async (name: string, content: Buffer) => {
      writeFileSync(file, content);
      return restore(file, join(folder, name));
    };
    expect((await tried("whole", earlier)).code).toBe(0);
    expect((await tried("cut", earlier.subarray(0, -700))).said).toContain("its end is missing");
    const other = Buffer.from(earlier);
    other[other.indexOf("what it left")] = 0;
    expect((await tried("other", other)).said).toContain("does not match its checksum");
    expect((await tried("unsealed", text)).said).toContain("its end is missing");
  });

  test("removes what one that was killed has left, and so does the next start", async () => {
    const { server } = await lived();
    const file = await backedUp(server.dataDir);
    await server.stop();
    const left = ".restoring-millrace.db-killed";
    const dataDir = temporaryFolder();
    for (const folder of [dataDir, server.dataDir]) writeFiles(folder, { [`${left}/millrace.db`]: "a copy" });
    expect((await restore(file, dataDir)).code).toBe(0);
    await startServer({ sources: [], dataDir: server.dataDir });
    for (const folder of [dataDir, server.dataDir]) expect(readdirSync(folder)).not.toContain(left);
  });

  test("extracts nothing from an archive that was made by someone else", async () => {
    const outside = folderWith({ secret: "outside" });
    const made = folderWith({ "manifest.json": "{}" });
    symlinkSync(outside, join(made, "artifacts"));
    const linked = join(temporaryFolder(), "linked.tar");
    await create({ file: linked, cwd: made }, ["manifest.json", "artifacts"]);
    const above = join(temporaryFolder(), "above.tar");
    await create({ file: above, cwd: made, preservePaths: true }, ["manifest.json", join(outside, "secret")]);
    for (const file of [linked, above]) {
      const dataDir = join(temporaryFolder(), "restored");
      expect((await restore(file, dataDir)).said).toMatch(/it contains ".*", which is not part of a backup/);
      expect(readdirSync(dataDir).sort()).toEqual([".gitignore", "lock"]);
    }
  });

  test.each([
    ["nothing", null],
    ["no databases", { format: 1, version: "1", made_at: "now" }],
    ["a database without a name", { format: 1, version: "1", made_at: "now", databases: [null] }],
    ["a database elsewhere", { format: 1, databases: [{ name: "../x", bytes: 1, sha256: "x" }] }],
  ])("refuses a file whose manifest names %s", async (_, manifest) => {
    const folder = folderWith({ "manifest.json": JSON.stringify(manifest) });
    const file = join(folder, "backup.tar");
    await create({ file, cwd: folder }, ["manifest.json"]);
    const { code, said } = await restore(file, join(folder, "data"));
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/it contains no readable manifest\.json.*Specify a complete archive/s),
    ]);
  });

  test("can be repeated when an earlier attempt did not finish", async () => {
    const { file } = shared();
    const dataDir = temporaryFolder();
    writeFiles(dataDir, { "artifacts/left/over": "", "millrace-transcripts.db": "half" });
    expect((await restore(file, dataDir)).code).toBe(0);
    expect(existsSync(join(dataDir, "artifacts/left"))).toBe(false);
    expect(rowsOf(join(dataDir, "millrace-transcripts.db")).run_output?.length).toBeGreaterThan(0);
  });
});

/** With another byte in the middle of the database, which is most of the archive. */
function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf("SQLite format 3") + 5_000;
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}
