import { chmodSync, closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { examineDisk } from "../../src/doctor/machine.ts";
import { onFinished } from "../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { run, startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

interface Finding {
  check: string;
  status: string;
  message: string;
  remedy?: string;
}

/** What the doctor says about a data folder. */
const examined = (dataDir: string, ...args: string[]) => examinedWith({}, dataDir, ...args);

async function examinedWith(settings: Record<string, string>, dataDir: string, ...args: string[]) {
  const env = { MILLRACE_SANDBOX: "none", MILLRACE_AGENT_COMMAND: process.execPath, ...settings };
  const { code, printed } = await run(["doctor", "--json", "--data-dir", dataDir, ...args], env);
  const { findings } = JSON.parse(printed) as { findings: Finding[] };
  const of = (check: string) => findings.filter((finding) => finding.check.startsWith(check));
  return { code, findings, of };
}

const SOURCE = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };

async function lived() {
  const source = folderWith(SOURCE);
  const server = await startServer({ sources: [source] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "right");
  await story.sync();
  return { source, server, story };
}

describe("the doctor", () => {
  test("finds nothing wrong with a server that is well, and says what it has looked at", async () => {
    const { server } = await lived();
    const { code, findings } = await examined(server.dataDir);
    const wrong = findings.filter(({ status, check }) => status !== "ok" && check !== "sandbox");
    expect([code, wrong]).toEqual([0, []]);
    expect(new Set(findings.map(({ check }) => check))).toEqual(
      new Set(
        "git,sandbox,harness command,server,disk,disk use,secrets,work tree,file modes,public URL,database,master key,clock,factory acme,webhooks".split(
          ",",
        ),
      ),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "server", message: expect.stringContaining("one runs") }),
    );
  });

  test("has a remedy for everything that it finds", async () => {
    const { server, story, source } = await lived();
    for (let n = 0; n < 5; n += 1) await story.deliver(await story.urlOf("ci"), "wrong", `${n}`);
    rmSync(join(source, "webhooks/ci.yaml"));
    await server.api("POST", "/factories/acme/suspend");
    chmodSync(server.dataDir, 0o711);
    expect((await examined(server.dataDir)).of("file modes")).toMatchObject([{ status: "ok" }]);
    chmodSync(server.dataDir, 0o755);
    const { code, findings, of } = await examined(server.dataDir, "--public-url", "http://hooks.example.com");
    expect(code).toBe(0);
    for (const { status, remedy } of findings) if (status !== "ok") expect(remedy).toMatch(/\w+/);
    expect(of("webhook ci of acme")[0]?.message).toMatch(/last 3 deliveries were refused.*Rejected \(auth\)/);
    expect(of("file modes")).toMatchObject([{ status: "warning", remedy: `chmod 700 ${server.dataDir}` }]);
    expect(of("factory acme")).toMatchObject([{ status: "warning", remedy: "millrace resume acme" }]);
    expect(
      of("public URL")
        .map(({ message }) => message)
        .join(),
    ).toMatch(/is not https.*does not answer/s);
  });

  test("tells of a damaged database and of a missing master key", async () => {
    const { server } = await lived();
    await server.stop();
    rmSync(join(server.dataDir, "master.key"));
    const lost = await examined(server.dataDir);
    expect(lost.code).toBe(1);
    expect(lost.of("master key")).toMatchObject([
      { status: "error", remedy: expect.stringContaining("Give the key back") },
    ]);
    expect(existsSync(join(server.dataDir, "master.key"))).toBe(false);
    damage(join(server.dataDir, "millrace-transcripts.db"));
    const { of } = await examined(server.dataDir);
    expect(of("database").filter(({ status }) => status === "error")).toMatchObject([
      {
        message: expect.stringContaining("transcripts"),
        remedy: expect.stringContaining("restore the last backup"),
      },
    ]);
  });

  test("asks the public URL itself, and tells when something else is there", async () => {
    const { server } = await lived();
    const other = createServer((_, response) => response.end("hello"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const wrong = await examined(server.dataDir, "--public-url", `http://127.0.0.1:${port}`);
    expect(wrong.of("public URL")).toMatchObject([
      { status: "warning", message: expect.stringContaining("something else") },
    ]);
    const right = await examined(server.dataDir, "--public-url", server.url);
    expect(right.of("public URL")).toMatchObject([{ status: "ok", message: `${server.url} answers` }]);
  });

  test("tells of a proxy that has to be there and is not trusted", async () => {
    const { server } = await lived();
    await server.stop();
    const behind = ["--public-url", "https://millrace.example.com"];
    expect((await examined(server.dataDir, ...behind)).of("trusted proxy")).toMatchObject([
      { status: "warning", remedy: expect.stringContaining("MILLRACE_PROXY_SOCKET") },
    ]);
    for (const trusted of [
      { MILLRACE_TRUST_PROXY: "192.0.2.7" },
      { MILLRACE_PROXY_SOCKET: join(server.dataDir, "proxy.sock") },
    ])
      expect((await examinedWith(trusted, server.dataDir, ...behind)).of("trusted proxy")).toEqual([]);
  });

  test("misses git, and one that is too old", async () => {
    const dataDir = join(temporaryFolder(), "none");
    const old = folderWith({ git: "#!/bin/sh\necho git version 2.20.1\n" });
    chmodSync(join(old, "git"), 0o755);
    for (const [PATH, told] of [
      [temporaryFolder(), "The program git is not on this machine."],
      [`${old}:/bin`, "git is 2.20.1, which is too old."],
    ]) {
      const { printed, code } = await run(["doctor", "--json", "--data-dir", dataDir], { PATH: PATH ?? "" });
      const [git] = (JSON.parse(printed) as { findings: Finding[] }).findings;
      expect([code, git]).toMatchObject([
        1,
        { check: "git", status: "error", message: told, remedy: expect.stringContaining("Install git") },
      ]);
    }
  });

  test("tells of a clock that is behind what was written down", async () => {
    const { server } = await lived();
    await server.stop();
    const database = new BetterSqlite(join(server.dataDir, "millrace.db"));
    database.prepare("UPDATE audit_log SET at = '2999-01-01T00:00:00.000Z'").run();
    database.close();
    const { code, of } = await examined(server.dataDir);
    expect([code, of("clock")]).toMatchObject([
      1,
      [
        {
          status: "error",
          message: expect.stringContaining("2999"),
          remedy: expect.stringContaining("Set the clock"),
        },
      ],
    ]);
  });

  test("tells of a disk without room, and of agents that are not isolated", async () => {
    // A file system of the kernel has no blocks at all.
    expect(await examineDisk({ dataDir: "/proc" })).toMatchObject({
      status: "error",
      remedy: expect.stringContaining("Make room"),
    });
    const { of } = await examined(join(temporaryFolder(), "none"));
    expect(of("sandbox")).toMatchObject([
      { status: "warning", remedy: expect.stringContaining("isolation") },
    ]);
  });

  test("makes nothing where nothing is", async () => {
    const dataDir = join(temporaryFolder(), "none");
    const { code, of } = await examined(dataDir);
    expect([code, of("data folder")[0]?.status]).toEqual([0, "ok"]);
    expect(existsSync(dataDir)).toBe(false);
  });
});

function damage(file: string): void {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(64, 0xff), 0, 64, 4_096);
  closeSync(handle);
}
