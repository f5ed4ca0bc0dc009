import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examineDisk, examineLeft } from "../../src/admin/doctor/machine.ts";
import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import { onFinished } from "../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { run, startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";
import { FORGE_TOKEN, privateHost, tenants } from "../given/tenants.ts";

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
  test("finds nothing wrong with a healthy server, and lists what it has checked", async () => {
    const { server } = await lived();
    const { code, findings } = await examined(server.dataDir);
    const wrong = findings.filter(({ status, check }) => status !== "ok" && check !== "sandbox");
    expect([code, wrong]).toEqual([0, []]);
    expect(new Set(findings.map(({ check }) => check))).toEqual(
      new Set(
        "git,sandbox,network,memory,harness command,server,disk,disk use,secrets,work tree,file modes,public URL,database,master key,artifacts,clock,factory acme,webhooks,triggers".split(
          ",",
        ),
      ),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "server", message: expect.stringContaining("a server is running") }),
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
    expect(of("webhook ci of acme")[0]?.message).toMatch(
      /last 3 deliveries were rejected.*Rejected \(auth\)/,
    );
    expect(of("file modes")).toMatchObject([{ status: "warning", remedy: `chmod 700 ${server.dataDir}` }]);
    expect(of("factory acme")).toMatchObject([{ status: "warning", remedy: "millrace resume acme" }]);
    expect(
      of("public URL")
        .map(({ message }) => message)
        .join(),
    ).toMatch(/is not https.*does not respond/s);
  });

  test("counts what clones share with a mirror once", () => {
    const dataDir = join(temporaryFolder(), "data");
    const [mirror, own, objects] = ["git/mirrors/m.git", "workspaces/run", "workspaces/run.objects"].map(
      (path) => join(dataDir, path),
    ) as [string, string, string];
    for (const folder of [mirror, own, objects]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(mirror, "pack"), Buffer.alloc(4 * 1024 ** 2, 1));
    writeFileSync(join(own, "file"), Buffer.alloc(2 * 1024 ** 2, 1));
    linkSync(join(mirror, "pack"), join(objects, "pack"));
    const left = () => examineLeft({ dataDir, workspacesDir: undefined, diskTotal: 0 }).message;
    expect(left()).toBe("workspaces 2 MiB, mirrors 4 MiB: 6 MiB");
    rmSync(mirror, { recursive: true });
    expect(left()).toBe("workspaces 6 MiB, mirrors 4 KiB: 6 MiB");
  });

  test("reports a forge that no factory may use, and checks the others with their own repositories", async () => {
    const { baseUrl } = await privateHost();
    const settings = `forges:
  home: { baseUrl: "${baseUrl}", token: { env: FORGE_TOKEN }, factories: [acme] }
  nobodys: { baseUrl: "${baseUrl}" }
  misspelt: { baseUrl: "${baseUrl}", factories: [acmee] }
`;
    const { server } = await tenants(settings);
    const config = join(folderWith({ "millrace.yaml": settings }), "millrace.yaml");
    const { of } = await examinedWith({ FORGE_TOKEN }, server.dataDir, "--config", config);
    expect(of("forge home")).toMatchObject([
      { status: "ok", message: expect.stringContaining("accepts the token") },
    ]);
    expect(of("forge nobodys")).toMatchObject([
      {
        status: "warning",
        remedy: expect.stringContaining("factories: [NAME] or shared: true to forges.nobodys"),
      },
    ]);
    expect(of("forge misspelt")).toMatchObject([
      {
        message: "No factory was allowed to use it when the server last started; unknown factories: acmee.",
        remedy: expect.stringMatching(
          /^Set forges\.misspelt\.factories .* to names or UIDs of existing factories/,
        ),
      },
    ]);
  });

  test("reports a damaged database and a missing master key", async () => {
    const { server } = await lived();
    await server.stop();
    rmSync(join(server.dataDir, "master.key"));
    const lost = await examined(server.dataDir);
    expect(lost.code).toBe(1);
    expect(lost.of("master key")).toMatchObject([
      { status: "error", remedy: expect.stringContaining("Restore the key") },
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

  test("checks the public URL itself, and reports when another program responds", async () => {
    const { server } = await lived();
    const other = createServer((_, response) => response.end("hello"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const wrong = await examined(server.dataDir, "--public-url", `http://127.0.0.1:${port}`);
    expect(wrong.of("public URL")).toMatchObject([
      { status: "warning", message: expect.stringContaining("Another program responds") },
    ]);
    const right = await examined(server.dataDir, "--public-url", server.url);
    expect(right.of("public URL")).toMatchObject([{ status: "ok", message: `${server.url} responds` }]);
  });

  test("reports a proxy that must exist and is not trusted", async () => {
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
      [temporaryFolder(), "git is not installed on this machine."],
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

  test("reports a clock that is behind the last entry in the database", async () => {
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

  test("reports a full disk, and agents that are not isolated", async () => {
    // A file system of the kernel has no blocks at all.
    expect(await examineDisk({ dataDir: "/proc" })).toMatchObject({
      status: "error",
      remedy: expect.stringContaining("Free disk space"),
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
