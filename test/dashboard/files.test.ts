import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { acmeServer } from "../given/ask.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { temporaryFolder } from "../given/folder.ts";
import { freePort } from "../given/port.ts";
import { type RawResponse, rawRequest } from "../given/raw-http.ts";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const shared = sharedByFile(async () => {
  const port = await freePort();
  const server = await acmeServer({ env: { MILLRACE_WEBHOOK_LISTEN: `127.0.0.1:${port}` } });
  return { server, webhookUrl: `http://127.0.0.1:${port}` };
});

const page = readFileSync(join(DIST, "dashboard", "index.html"), "utf8");
const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);

test("the first view takes at most 200 KB of compressed script", () => {
  expect(scripts.length).toBeGreaterThan(0);
  const bytes = scripts.map((path) => gzipSync(readFileSync(join(DIST, "dashboard", path))).length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(200 * 1024);
});

describe("the page", () => {
  test.each([
    "/",
    "/runs",
    "/runs/01a1fe22-6744-70ce-94a0-348515e54587",
    "/factories/acme/webhooks/x",
    "/keys",
  ])("is at %s, is never cached, is in no frame, and loads nothing from elsewhere", async (path) => {
    const answer = await shared().server.fetch(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(page);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("is asked for once as long as it is the same", async () => {
    const { server } = shared();
    const etag = (await server.fetch("/")).headers.get("etag") ?? "";
    expect((await server.fetch("/runs", { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  test("holds no script and no style of its own", () => {
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(page).not.toMatch(/<style|\sstyle=/);
  });

  test("is also returned for unknown paths, but only to browsers", async () => {
    const { server } = shared();
    const html = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
    expect(await (await server.fetch("/nowhere", html)).text()).toBe(page);
    const other = await server.fetch("/nowhere");
    expect([other.status, other.headers.get("content-type")]).toEqual([
      404,
      "application/problem+json; charset=utf-8",
    ]);
  });
});

describe("files with a hash in their names", () => {
  const script = scripts[0] ?? "";

  test.each([
    ["br", "br, gzip"],
    ["gzip", "gzip"],
    [undefined, "identity"],
  ])("never change, and travel as %s to who takes that", async (encoding, accepted) => {
    const answer: RawResponse = await rawRequest(shared().server.url + script, {
      "accept-encoding": accepted,
    });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.vary).toContain("Accept-Encoding");
    expect(answer.headers["content-type"]).toContain("text/javascript");
    if (encoding)
      expect(answer.bytes).toEqual(
        readFileSync(`${join(DIST, "dashboard", script)}.${encoding === "br" ? "br" : "gz"}`),
      );
  });

  test("that are not there are none, also to a browser: an old page must not run a page as a script", async () => {
    const answer = await shared().server.fetch("/assets/index-00000000.js", {
      headers: { accept: "text/html" },
    });
    expect(answer.status).toBe(404);
  });

  test.each([".br", ".gz"])("have no address with %s at their end", async (ending) => {
    expect((await shared().server.fetch(script + ending)).status).toBe(404);
  });

  test("are all that is served: nothing above the folder", async () => {
    const answer = await rawRequest(`${shared().server.url}/assets/../../main.js`, {});
    expect(answer.bytes.toString()).not.toContain("bundle");
  });
});

test("nothing of the API, of the ingress or of the operator's paths is shadowed", async () => {
  const { server } = shared();
  const html = { headers: { accept: "text/html" } };
  expect((await server.fetch("/api/v1/runs", html)).status).toBe(404);
  expect((await server.fetch("/api/v1/whoami", html)).status).toBe(401);
  expect((await server.fetch("/webhooks/w/nobody", html)).status).toBe(405);
  expect(await (await server.fetch("/healthz", html)).json()).toEqual({ status: "ok" });
  expect((await server.fetch("/metrics", html)).status).toBe(401);
  expect((await server.fetch("/", { method: "POST" })).status).toBe(404);
});

test("a listener for senders alone has no dashboard and no session", async () => {
  const { webhookUrl } = shared();
  expect((await fetch(`${webhookUrl}/`)).status).toBe(404);
  expect((await fetch(`${webhookUrl}/session`, { method: "POST", body: "{}" })).status).toBe(404);
});

test("a server that was built without the dashboard says so, and serves one that is built later", async () => {
  const copy = temporaryFolder();
  cpSync(DIST, join(copy, "dist"), { recursive: true });
  rmSync(join(copy, "dist", "dashboard"), { recursive: true });
  cpSync(join(DIST, "..", "package.json"), join(copy, "package.json"));
  for (const name of readdirSync(join(DIST, ".."))) {
    if (["node_modules", "schemas"].includes(name)) symlinkSync(join(DIST, "..", name), join(copy, name));
  }
  const server = await acmeServer({ program: join(copy, "dist", "main.js") });
  const answer = await server.fetch("/", { headers: { accept: "text/html" } });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ detail: "This server was built without its dashboard." });
  expect((await server.fetch("/healthz")).status).toBe(200);

  // As `npm start` does it: the file has the process that builds.
  writeFileSync(join(copy, "dist", ".dashboard-building"), String(process.pid));
  const waiting = await server.fetch("/runs", { headers: { accept: "text/html" } });
  expect([waiting.status, waiting.headers.get("cache-control")]).toEqual([503, "no-store"]);
  expect(waiting.headers.get("content-security-policy")).toContain("default-src 'self'");
  const text = await waiting.text();
  expect(text).toContain("The dashboard is being built");
  expect(text).toContain('<meta http-equiv="refresh" content="2">');
  expect(text).not.toMatch(/<script|<style/);

  writeFileSync(join(copy, "dist", ".dashboard-building"), String(endedProcess()));
  expect((await server.fetch("/")).status).toBe(404);

  cpSync(join(DIST, "dashboard"), join(copy, "dist", "dashboard"), { recursive: true });
  expect(await (await server.fetch("/runs")).text()).toBe(page);
});

function endedProcess(): number {
  return spawnSync("true").pid;
}
