import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { onFinished } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { serveOverHttp } from "../../given/git-http.ts";
import { repositoryWith } from "../../given/repository.ts";
import { heldSandbox, SERVERS } from "../../given/sandbox-of.ts";
import { surroundings } from "../../given/surroundings.ts";
import { KINDS, rawTries, SENDER, SOCKET_KINDS, shellTries } from "./escape-tries.ts";

/** A held network with a list, and what lies around it. */
async function surrounded(server: "root" | "nobody") {
  const { places, seen, policy, apiUrl } = await surroundings();
  return { places, seen, sandbox: await heldSandbox(policy, { server, apiUrl }) };
}

describe.each(SERVERS)("out of a held network of a server that is %s", (server) => {
  test("no bytes that a program sends to its proxy lead beyond the list", async () => {
    const { places, seen, sandbox } = await surrounded(server);
    const tries = rawTries(places);
    writeFileSync(join(sandbox.workspace, "tries.json"), JSON.stringify(tries));
    writeFileSync(join(sandbox.workspace, "send.cjs"), SENDER);
    const { said, refused } = await sandbox.run(["node", "send.cjs"]);
    const answers: Record<string, string> = JSON.parse(said);
    expect(Object.keys(answers)).toEqual(Object.keys(tries));
    const escaped = Object.entries(answers).filter(([, answer]) => answer.includes("WITNESS"));
    expect(escaped).toEqual([]);
    expect(seen).toEqual([]);
    expect(Object.keys(tries).length).toBeGreaterThanOrEqual(55);
    const reasons = new Set(refused.map(({ reason }) => reason));
    expect([...reasons].sort()).toEqual(["host_mismatch", "invalid", "not_allowed", "private_address"]);
    // No name of these was looked up: a name server would have been told what stands in it.
    expect(refused).toContainEqual(
      expect.objectContaining({ host: "c2vjcmv0.evil.example", reason: "not_allowed" }),
    );
  });

  test("no command finds another way", async () => {
    const { places, seen, sandbox } = await surrounded(server);
    for (const [name, command] of Object.entries(shellTries(places))) {
      const { said } = await sandbox.sh(`${command}\ntrue`);
      expect(said.includes("ESCAPED"), name).toBe(false);
      expect(seen, name).toEqual([]);
    }
  });

  test("no other kind of socket can be opened, where the kernel has it", async () => {
    const { sandbox } = await surrounded(server);
    writeFileSync(join(sandbox.folder, "kinds.c"), SOCKET_KINDS);
    execFileSync("cc", ["-o", join(sandbox.workspace, "kinds"), join(sandbox.folder, "kinds.c")]);
    chmodSync(join(sandbox.workspace, "kinds"), 0o755);
    for (const kind of KINDS) {
      const { code } = await sandbox.run([join(sandbox.workspace, "kinds"), kind]);
      expect([1, 3], kind).toContain(code);
    }
    const uring = await sandbox.run([join(sandbox.workspace, "kinds"), "uring"]);
    expect(uring.code).toBe(3);
  });
});

/** A registry with one package. */
async function aRegistry(): Promise<number> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "package"));
  writeFileSync(
    join(folder, "package", "package.json"),
    '{"name":"tiny","version":"1.0.0","main":"tiny.js"}',
  );
  writeFileSync(join(folder, "package", "tiny.js"), "module.exports = 'from the registry';");
  execFileSync("tar", ["-C", folder, "-czf", join(folder, "tiny.tgz"), "package"]);
  const server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return void response.end(readFileSync(join(folder, "tiny.tgz")));
    const tarball = `http://${request.headers.host}/tiny/-/tiny-1.0.0.tgz`;
    const versions = { "1.0.0": { name: "tiny", version: "1.0.0", dist: { tarball } } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name: "tiny", "dist-tags": { latest: "1.0.0" }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test("git clone and npm install work through the proxy, by names that lead to the loopback interface of the host", async () => {
  const repository = repositoryWith({ "a.txt": "cloned" });
  const host = await serveOverHttp(repository.url, "no-token");
  host.isOpen = true;
  const git = new URL(host.url);
  const npm = await aRegistry();
  const allow = [git.port, npm].flatMap((port) => [
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
  ]);
  const sandbox = await heldSandbox({ allow: [allow] });
  // The names of the loopback interface are exceptions of the proxy, which other hosts are not.
  const { said, reached, refused } = await sandbox.sh(`
    export HOME=$PWD NO_PROXY= no_proxy= npm_config_noproxy= npm_config_update_notifier=false
    git clone -q http://localhost:${git.port}${git.pathname} clone && cat clone/a.txt && echo
    echo '{}' > package.json
    npm install --silent --no-audit --no-fund --registry http://localhost:${npm}/ tiny
    node -p 'require("tiny")'
  `);
  expect(said).toBe("cloned\nfrom the registry\n");
  expect(reached.map(({ host: name, port }) => `${name}:${port}`).sort()).toEqual(
    [`localhost:${git.port}`, `localhost:${npm}`].sort(),
  );
  expect(refused).toEqual([]);
});
