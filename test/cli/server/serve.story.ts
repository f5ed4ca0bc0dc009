import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { failToStart, run, startServer, waitFor } from "../../given/server.ts";

/** An address that another program listens on. */
async function occupiedPort(): Promise<string> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    other.close();
  });
  return `127.0.0.1:${(other.address() as AddressInfo).port}`;
}

describe("serve", () => {
  test("without a source, when none is known, serves a new managed factory", async () => {
    const server = await startServer({ sources: [] });
    await waitFor(async () => (await server.fetch("/readyz")).status === 200);
    const { factories } = await server.api<{ factories: unknown[] }>("GET", "/factories");
    expect(factories).toMatchObject([{ name: "default", mode: "managed", sync: { status: "synced" } }]);
  });

  test("without a source serves what the data folder knows from before", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const source = folderWith(FACTORY);
    await (await startServer({ sources: [source], dataDir })).stop();
    const server = await startServer({ sources: [], dataDir });
    await expect(server.api("GET", "/factories/acme")).resolves.toMatchObject({ source: { path: source } });
  });

  test("shows the first admin key at the first start that succeeds, and at no later one", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const source = folderWith(FACTORY);
    const other = await occupiedPort();
    await failToStart(["/nowhere"], { MILLRACE_DATA_DIR: dataDir });
    await failToStart([source], { MILLRACE_DATA_DIR: dataDir, MILLRACE_LISTEN: other });

    const env = { MILLRACE_ADMIN_KEY: "" };
    const server = await startServer({ sources: [source], dataDir, env });
    const key = await waitFor(() => /^ {2}(mr_\w+)$/m.exec(server.printed())?.[1]);
    const headers = { authorization: `Bearer ${key}` };
    expect((await server.fetch("/api/v1/api-keys", { headers })).status).toBe(200);
    await server.stop();
    const again = await startServer({ sources: [source], dataDir, env });
    expect((await again.fetch("/api/v1/api-keys", { headers })).status).toBe(200);
    expect(again.printed()).not.toContain("mr_");
  });

  test("reports in a sentence why the configured sandbox does not work", async () => {
    const env = { MILLRACE_SANDBOX: "container", MILLRACE_CONTAINER_COMMAND: "/nowhere/podman" };
    const { code, said } = await failToStart([folderWith(FACTORY)], env);
    expect(code).toBe(1);
    expect(said).toContain("/nowhere/podman");
    expect(said).not.toMatch(/^ +at /m);
  });

  test("refuses a data folder that another server has", async () => {
    const dataDir = join(temporaryFolder(), "data");
    await startServer({ sources: [folderWith(FACTORY)], dataDir });
    const { code, said } = await failToStart([folderWith(FACTORY)], { MILLRACE_DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(said).toContain(`Another millrace process uses the data folder ${dataDir}`);
    expect(said).toContain("start this one with a separate folder with --data-dir or MILLRACE_DATA_DIR");
  });

  test("refuses a database that another server has, whatever its data folder is", async () => {
    const database = join(temporaryFolder(), "shared.db");
    const env = {
      MILLRACE_DATABASE_URL: `sqlite:${database}`,
      MILLRACE_MASTER_KEY: "a-master-key-of-some-length",
    };
    await startServer({ sources: [folderWith(FACTORY)], env });
    const { code, said } = await failToStart([folderWith(FACTORY)], {
      ...env,
      MILLRACE_DATA_DIR: temporaryFolder(),
    });
    expect(code).toBe(1);
    expect(said).toContain(`Another millrace process uses the database ${database}`);
    expect(said).toContain(
      "start this one with a separate database with --database-url or MILLRACE_DATABASE_URL",
    );
  });

  test("refuses an address that another program listens on", async () => {
    const listen = await occupiedPort();
    const env = { MILLRACE_DATA_DIR: join(temporaryFolder(), "data"), MILLRACE_LISTEN: listen };
    const { code, said } = await failToStart([folderWith(FACTORY)], env);
    expect(code).toBe(1);
    expect(said).toContain(`Cannot listen on ${listen}: another program is using it`);
    expect(said).toContain("specify another address with --listen or MILLRACE_LISTEN");
  });

  test("reports all invalid settings together", async () => {
    const { code, said } = await failToStart(["."], { MILLRACE_POLL_INTERVAL: "x", MILLRACE_LOG_LEVEL: "y" });
    expect(code).toBe(2);
    expect(said).toContain('MILLRACE_POLL_INTERVAL "x"');
    expect(said).toContain('MILLRACE_LOG_LEVEL "y"');
  });

  test("explains how to specify an existing settings file", async () => {
    const { code, said } = await failToStart(["--config", "/nowhere/millrace.yaml"]);
    expect(code).toBe(2);
    expect(said).toContain("The settings file /nowhere/millrace.yaml does not exist.");
    expect(said).toContain("Specify an existing file with --config, or omit --config");
  });

  test("says where to find the options when it is given one that does not exist", async () => {
    const { code, said } = await failToStart(["--port", "9000"]);
    expect(code).toBe(2);
    expect(said).toBe("error: unknown option '--port'\n(add --help for usage)\n");
  });

  test("shows the problems of its settings file at their places", async () => {
    const file = join(
      folderWith({ "m.yaml": "listen: 127.0.0.1:0\nbranc: main\nfactories: [{}]\n" }),
      "m.yaml",
    );
    const { code, said } = await failToStart(["--config", file]);
    expect(code).toBe(2);
    expect(said).toContain(`FF_UNKNOWN_FIELD ${file}:2:1`);
    expect(said).toContain('did you mean "branch"?');
    expect(said).toContain(`FF_MISSING_REQUIRED ${file}:3:13`);
  });

  test("prints the effective configuration and exits", async () => {
    const { code, printed } = await run(["serve", "--print-config", "--branch", "live"], {
      MILLRACE_ADMIN_KEY: "a-key-of-twenty-characters",
    });
    expect(code).toBe(0);
    expect(printed).toMatch(/^branch: live +# --branch$/m);
    expect(printed).not.toContain("a-key-of-twenty-characters");
  });

  test("makes an admin key on its first start, prints it once, and knows it afterwards", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const source = folderWith(FACTORY);
    const start = async () => {
      const { spawn } = await import("node:child_process");
      const { PROGRAM } = await import("../../given/server.ts");
      const child = spawn(process.execPath, [PROGRAM, "serve", source], {
        env: { PATH: process.env.PATH, MILLRACE_LISTEN: "127.0.0.1:0", MILLRACE_DATA_DIR: dataDir },
      });
      onTestFinished(() => {
        child.kill("SIGKILL");
      });
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += chunk;
      });
      const url = await waitFor(() => /^millrace serves (\S+)$/m.exec(output)?.[1]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { child, url, key: /^ {2}(mr_\w+)$/m.exec(output)?.[1] };
    };
    const first = await start();
    expect(first.key).toMatch(/^mr_[A-Za-z0-9]{40}$/);
    await new Promise((resolve) => {
      first.child.once("exit", resolve);
      first.child.kill("SIGTERM");
    });
    const second = await start();
    expect(second.key).toBeUndefined();
    const answer = await fetch(`${second.url}/api/v1/factories`, {
      headers: { authorization: `Bearer ${first.key}` },
    });
    expect(answer.status).toBe(200);
  });

  test("ends in order on SIGTERM, and leaves nothing running", async () => {
    const server = await startServer({ sources: [folderWith(FACTORY)] });
    expect(await server.stop()).toBe(0);
    await expect(server.fetch("/healthz")).rejects.toThrow();
  });

  test("ends within its drain time, whatever an agent does", async () => {
    const agent = `process.on("SIGTERM", () => {}); console.log("deaf"); setInterval(() => {}, 1000);`;
    const dataDir = join(temporaryFolder(), "data");
    const source = folderWith(FACTORY);
    const server = await startServer({
      sources: [source],
      dataDir,
      agent,
      env: { MILLRACE_DRAIN_TIMEOUT: "200ms" },
    });
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "x" });
    const url = `/api/v1/agent/runs/${run_id}/transcript`;
    const headers = { authorization: "Bearer test-admin-key-0123456789" };
    await waitFor(async () => (await (await server.fetch(url, { headers })).text()) === "deaf\n");
    const before = Date.now();
    expect(await server.stop()).toBe(0);
    expect(Date.now() - before).toBeLessThan(15_200);
    const again = await startServer({ sources: [source], dataDir });
    await expect(again.api("GET", `/agent/runs/${run_id}`)).resolves.toMatchObject({
      state: "ERROR",
      status_message: {
        error_code: "infrastructure_timeout",
        message: expect.stringContaining("the server shut down"),
      },
    });
  });
});
