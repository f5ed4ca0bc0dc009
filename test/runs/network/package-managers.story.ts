import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onFinished } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { serveOverHttp } from "../../given/git-http.ts";
import { heldSandbox } from "../../given/held-program.ts";
import { repositoryWith } from "../../given/repository.ts";

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
