import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { MILLRACE, startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

const { MILLRACE_BINARY: binary = "" } = process.env;
if (binary === "")
  throw new Error("No binary is named: run these by `npm run test:binary`, which builds one.");

/** A machine with nothing on it but the binary and git. */
function bareMachine() {
  const home = temporaryFolder();
  mkdirSync(join(home, "bin"));
  const git = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
  symlinkSync(git, join(home, "bin", "git"));
  const program = join(home, "millrace");
  copyFileSync(binary, program);
  return { home, program, env: { PATH: join(home, "bin"), HOME: home } };
}

describe("the binary", () => {
  test("serves and executes runs where there is no Node", async () => {
    const { env } = bareMachine();
    const agent = { MILLRACE_AGENT_COMMAND: "/bin/sh -c 'echo all is well'" };
    const server = await startServer({ sources: [folderWith(FACTORY)], env: { ...env, ...agent } });
    await server.api("POST", "/agent/runs", { prompt: "Go." });
    const story = storyOf(server);
    await expect.poll(async () => (await story.runs())[0]?.state, { timeout: 20_000 }).toBe("SUCCEEDED");
  });

  test("unpacks what must be a file into a separate folder, and restores what was changed there", () => {
    const { home, program, env } = bareMachine();
    const doctor = () =>
      execFileSync(program, ["keys", "create", "--local", "--name", "a"], { env, cwd: home, stdio: "pipe" });
    const data = join(home, ".millrace");
    mkdirSync(data);
    writeFileSync(join(data, "millrace.db"), "");
    expect(doctor).toThrow(/no such table|older version of millrace/);
    const [build = ""] = readdirSync(join(home, ".cache/millrace"));
    const folder = join(home, ".cache/millrace", build);
    expect(readdirSync(folder)).toEqual(["better_sqlite3.node"]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const addon = join(folder, "better_sqlite3.node");
    const before = readFileSync(addon);
    writeFileSync(addon, "something else");
    expect(doctor).toThrow(/no such table|older version of millrace/);
    expect(readFileSync(addon).equals(before)).toBe(true);
  });

  test.runIf(process.getuid?.() === 0)(
    "unpacks to nowhere that another user has made, and says where it could",
    () => {
      const { home, program, env } = bareMachine();
      mkdirSync(join(home, ".millrace"));
      writeFileSync(join(home, ".millrace/millrace.db"), "");
      // A folder in which nobody makes anything, and one that somebody else has made for this user.
      const TMPDIR = join(home, "tmp");
      const cache = join(TMPDIR, "cache-0");
      writeFileSync(join(home, ".cache"), "");
      mkdirSync(cache, { recursive: true });
      chmodSync(cache, 0o777);
      const createKey = () =>
        execFileSync(program, ["keys", "create", "--local", "--name", "a"], {
          env: { ...env, TMPDIR },
          cwd: home,
          stdio: "pipe",
        });
      chownSync(cache, 65_534, 65_534);
      expect(createKey).toThrow(
        /No folder is available to unpack files to: .*cache-0 belongs to another user\.\n.*XDG_CACHE_HOME/s,
      );
      chownSync(cache, 0, 0);
      expect(createKey).toThrow(/no such table|older version of millrace/);
      expect(statSync(cache).mode & 0o777).toBe(0o700);
    },
  );

  test("reports its build, and has its checksum next to it", () => {
    const told = JSON.parse(execFileSync(MILLRACE[0] ?? "", ["version", "--json"]).toString());
    expect(told).toMatchObject({ version: "0.1.0", platform: `${process.platform}-${process.arch}` });
    expect(Date.parse(told.built_at)).toBeGreaterThan(0);
    const sums = execFileSync("sha256sum", ["--check", "millrace.sha256"], { cwd: join(binary, "..") });
    expect(sums.toString()).toBe("millrace: OK\n");
  });
});
