import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { rawRequest } from "../given/raw-http.ts";
import { startServer } from "../given/server.ts";

const DASHBOARD = fileURLToPath(new URL("../../dist/dashboard", import.meta.url));

test("serves the dashboard from itself: nothing of it is unpacked", async () => {
  const cache = temporaryFolder();
  const server = await startServer({ sources: [folderWith(FACTORY)], env: { XDG_CACHE_HOME: cache } });
  const page = await (await server.fetch("/runs")).text();
  expect(page).toBe(readFileSync(join(DASHBOARD, "index.html"), "utf8"));
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  for (const [taken, ending] of [
    ["br", ".br"],
    ["gzip", ".gz"],
    ["identity", ""],
  ]) {
    const { bytes } = await rawRequest(server.url + script, { "accept-encoding": taken ?? "" });
    expect(bytes.equals(readFileSync(join(DASHBOARD, script + ending)))).toBe(true);
  }
  const unpacked = readdirSync(cache, { recursive: true, encoding: "utf8" });
  expect(unpacked.filter((path) => /\.(?:js|html|css)/.test(path))).toEqual([]);
});
