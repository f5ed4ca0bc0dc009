import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositorySource } from "../../src/git/repository.ts";
import { onFinished } from "../given/cleanup.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { serveOverHttp } from "../given/git-http.ts";
import { processesWith } from "../given/processes.ts";
import { repositoryWith } from "../given/repository.ts";
import { failToStart } from "../given/server.ts";

const TOKEN = "t0ken/that+must=not be-seen";
const HEADER = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");

/** A host that answers every request with a status and a text. */
async function hostThatSays(status: number, text: string): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { "content-type": "text/plain", "www-authenticate": "Basic" }).end(text),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;
}

const failure = (url: string, limits: { silenceLimitMs?: number; timeLimitMs?: number } = {}) =>
  repositorySource({
    ...{ url, branch: "main", path: ".", access: { token: async () => TOKEN } },
    gitFolder: join(temporaryFolder(), "git"),
    ...limits,
  })
    .latest()
    .then(
      () => "nothing failed",
      (error) => String(error.message),
    );

test.each([401, 403, 404, 500])("a token that a host sends back with %i is not shown", async (status) => {
  const said = `${TOKEN} ${HEADER} ${encodeURIComponent(TOKEN)} \u001b[2J\u202e end`;
  const message = await failure(await hostThatSays(status, said));
  expect(message).toMatch(/git could not read http/);
  for (const form of [TOKEN, HEADER, encodeURIComponent(TOKEN)]) expect(message).not.toContain(form);
  expect(message).not.toMatch(/\p{Cc}|\u202e/u);
});

test("a host's message is reported without the token in it, whatever its form", async () => {
  const said = `no such thing: ${TOKEN}, ${HEADER}, ${encodeURIComponent(TOKEN)}\u001b[2J`;
  expect(await failure(await hostThatSays(404, said))).toContain(
    "no such thing: ********, ********, ********",
  );
});

test("a host that stops answering leaves no git process behind", async () => {
  const host = await serveOverHttp(repositoryWith({ a: "1" }).url, TOKEN);
  host.pieceEvery = { bytes: 1, milliseconds: 60_000 };
  expect(await failure(host.url, { silenceLimitMs: 700 })).toContain("produced no output");
  expect(processesWith(host.url)).toEqual([]);
});

test("a fetch from a host that keeps sending is ended after a while, however busy it looks", async () => {
  const host = await serveOverHttp(repositoryWith({ a: "1" }).url, TOKEN);
  host.pieceEvery = { bytes: 1, milliseconds: 100 };
  expect(await failure(host.url, { timeLimitMs: 2_000 })).toContain(
    "was stopped: check the response of its host",
  );
  expect(processesWith(host.url)).toEqual([]);
});

test.each([
  "ext::sh -c touch% /tmp/x",
  "--upload-pack=touch x",
  "-oProxyCommand=touch:x",
  "ssh://-oProxyCommand=touch/x",
])("a server is not given %s to read, by whatever setting", async (url) => {
  const settings = (content: object) => join(folderWith({ "m.yaml": JSON.stringify(content) }), "m.yaml");
  const folder = folderWith({});
  for (const args of [
    ["--", url],
    ["--config", settings({ factories: [{ source: url }] })],
    ["--config", settings({ forges: { x: { baseUrl: url } } }), folder],
  ]) {
    const { code, said } = await failToStart(args, { MILLRACE_DATA_DIR: join(temporaryFolder(), "data") });
    expect([code, said]).toEqual([2, expect.stringMatching(/(Give|Specify|Set it to) /)]);
  }
  expect(readdirSync(folder)).toEqual([]);
});
