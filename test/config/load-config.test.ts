import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettingsFile } from "../../src/cli/settings.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { printConfig } from "../../src/config/setting-rows.ts";
import { settings } from "../../src/config/settings.ts";
import { readSchema } from "../../src/definitions/loading/validate.ts";
import { folderWith } from "../given/folder.ts";

describe("settings", () => {
  test("have defaults", () => {
    const { config, origins } = loadConfig({});
    expect(config).toMatchObject({
      listen: { host: "127.0.0.1", port: 8787 },
      dataDir: "./.millrace",
      branch: "main",
      path: ".",
      pollInterval: 60_000,
      runTimeout: 3_600_000,
      sandbox: "auto",
      deliveriesPerMinute: 60,
      failedAuthPerMinute: 30,
      drainTimeout: 15_000,
      logLevel: "info",
    });
    expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
  });

  test("of a flag win over the environment, of the environment over the file", () => {
    const file = { path: "millrace.yaml", content: { branch: "file", path: "file", pollInterval: "5m" } };
    const env = { MILLRACE_BRANCH: "env", MILLRACE_PATH: "env", MILLRACE_LOG_LEVEL: "" };
    const { config, origins } = loadConfig({ flags: { branch: "flag" }, env, file });
    expect(config).toMatchObject({ branch: "flag", path: "env", pollInterval: 300_000, logLevel: "info" });
    expect(origins).toMatchObject({
      branch: "--branch",
      path: "MILLRACE_PATH",
      pollInterval: "pollInterval in millrace.yaml",
      logLevel: "default",
    });
  });

  test("that are wrong are all reported, each with where it came from, secrets without their values", () => {
    const load = () =>
      loadConfig({
        flags: { listen: "nowhere", publicUrl: "ftp://x" },
        env: { MILLRACE_POLL_INTERVAL: "5 minutes", MILLRACE_ADMIN_KEY: "short!", MILLRACE_SANDBOX: "jail" },
        file: { path: "millrace.yaml", content: { runConcurrency: 0 } },
      });
    const message = messageOf(load);
    for (const part of [
      '--listen "nowhere": expected HOST:PORT',
      '--public-url "ftp://x": expected an http or https URL',
      'MILLRACE_POLL_INTERVAL "5 minutes": expected a duration',
      "MILLRACE_ADMIN_KEY: expected at least 20 characters",
      'MILLRACE_SANDBOX "jail": expected one of auto, bwrap, container, none',
      'runConcurrency in millrace.yaml "0": expected a whole number',
    ]) {
      expect(message).toContain(part);
    }
    expect(message).not.toContain("short!");
  });

  test("of a factory's folder are one folder however they are written, and never one outside of the repository", () => {
    const load = (path: string) =>
      loadConfig({ file: { path: "millrace.yaml", content: { factories: [{ source: "x", path }] } } });
    for (const path of ["./a/b", "/a/b", "a//b/", "a/./b"])
      expect(load(path).config.factories).toEqual([{ source: "x", path: "a/b" }]);
    expect(messageOf(() => load("a/../../b"))).toContain(
      'millrace.yaml: factories[0].path "a/../../b": expected a folder inside the repository',
    );
  });

  test.each([
    ["{ weight: 0 }", "shares.acme.weight"],
    ["{ weight: two }", "shares.acme.weight"],
    ["{ maxRuns: 0 }", "shares.acme.maxRuns"],
    ["{ maxRuns: 1.5 }", "shares.acme.maxRuns"],
    ["{ most: 1 }", "most"],
    ["{}", "shares.acme"],
  ])("refuse the share %s of a factory, and take others", async (share, place) => {
    const read = (text: string) =>
      readSettingsFile(join(folderWith({ "millrace.yaml": text }), "millrace.yaml"));
    await expect(read(`shares: { acme: ${share} }\n`)).rejects.toThrow(place);
    const { content } = await read("shares: { acme: { weight: 0.5, maxRuns: 3 } }\n");
    expect(loadConfig({ file: { path: "millrace.yaml", content } }).config.shares).toEqual({
      acme: { weight: 0.5, maxRuns: 3 },
    });
  });

  test("that contradict each other are refused", () => {
    const env = { MILLRACE_GIT_TOKEN: "x", MILLRACE_GIT_TOKEN_FILE: "y" };
    expect(messageOf(() => loadConfig({ env }))).toContain(
      "MILLRACE_GIT_TOKEN and MILLRACE_GIT_TOKEN_FILE are both set",
    );
  });

  test.each([
    ["127.0.0.1:80", { host: "127.0.0.1", port: 80 }],
    ["[::1]:0", { host: "::1", port: 0 }],
    [":8787", { host: "0.0.0.0", port: 8787 }],
    ["localhost:1", { host: "localhost", port: 1 }],
  ])("take the address %s", (listen, expected) => {
    expect(loadConfig({ flags: { listen } }).config.listen).toEqual(expected);
  });

  test.each(["8787", "host", "[::1]", "::1:80", "a:65536", "[1.2.3.4]:1"])(
    "refuse the address %s",
    (listen) => {
      expect(() => loadConfig({ flags: { listen } })).toThrow(/HOST:PORT|IPv6/);
    },
  );

  test.each([
    ["500ms", 500],
    ["3s", 3_000],
    ["5m", 300_000],
    ["1h", 3_600_000],
  ])("take the duration %s", (pollInterval, expected) => {
    expect(loadConfig({ flags: { pollInterval } }).config.pollInterval).toBe(expected);
  });

  test.each(["5", "0s", "1d", "-1s", "1.5s", "1000h", ""])("refuse the duration %s", (pollInterval) => {
    expect(() => loadConfig({ flags: { pollInterval } })).toThrow("duration");
  });

  test("split the agent command as a shell does, without a shell", () => {
    const env = { MILLRACE_AGENT_COMMAND: `node "my agent.mjs" --x='a b' $HOME | cat` };
    expect(loadConfig({ env }).config.agentCommand).toEqual([
      "node",
      "my agent.mjs",
      "--x=a b",
      "$HOME",
      "|",
      "cat",
    ]);
    expect(() => loadConfig({ env: { MILLRACE_AGENT_COMMAND: "node 'x" } })).toThrow("quotes");
  });

  test.each(["-x", "a..b", "a b", "a~", "refs/", "x.lock", "@", ""])("refuse the branch %s", (branch) => {
    expect(() => loadConfig({ flags: { branch } })).toThrow(/git branch/);
  });

  test.each(["..", "a/../b", "/../etc"])("refuse the folder %s", (path) => {
    expect(() => loadConfig({ flags: { path } })).toThrow(/inside the repository/);
  });

  test("are printed with where they came from, secrets masked", () => {
    const env = { MILLRACE_ADMIN_KEY: "a-key-of-twenty-characters", MILLRACE_LISTEN: "[::1]:80" };
    const { config, origins } = loadConfig({ env });
    const printed = printConfig(config, origins);
    expect(printed).toMatch(/^listen: \[::1\]:80 +# MILLRACE_LISTEN$/m);
    expect(printed).toMatch(/^adminKey: \*{8} +# MILLRACE_ADMIN_KEY$/m);
    expect(printed).toMatch(/^pollInterval: 1m +# default$/m);
    expect(printed).not.toContain(env.MILLRACE_ADMIN_KEY);
  });

  test("are in the schema of millrace.yaml if the file may contain them, and only then", () => {
    const properties = Object.keys(JSON.parse(readSchema("millrace.schema.json")).properties);
    const inFile = Object.entries(settings)
      .filter(([, setting]) => setting.inFile)
      .map(([name]) => name);
    const structured = [
      "factories",
      "notifications",
      "outbound",
      "smtp",
      "harnesses",
      "forges",
      "secrets",
      "workerEnvironment",
      "retention",
      "prices",
      "network",
      "shares",
    ];
    expect(properties.sort()).toEqual([...inFile, ...structured].sort());
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}
