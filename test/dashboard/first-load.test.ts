import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const BUILT = fileURLToPath(new URL("../../dist/dashboard/", import.meta.url));
const MAX_BYTES = 150 * 1_024;

/** What the first page loads: the scripts that it names, the overview, and all that these import before they run. */
function firstScripts(): Set<string> {
  const page = readFileSync(`${BUILT}index.html`, "utf8");
  const found = new Set<string>();
  const waiting = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  waiting.push(overviewScript());
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const script = readFileSync(BUILT + path, "utf8");
    for (const [, name] of script.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      waiting.push(`assets/${name}`);
  }
  return found;
}

function overviewScript(): string {
  const [name, ...others] = readdirSync(`${BUILT}assets`).filter((each) => /^overview-.+\.js$/.test(each));
  if (name === undefined || others.length > 0) throw new Error("expected one script of the overview");
  return `assets/${name}`;
}

/** Small files are sent as they are. */
function brotliBytes(path: string): number {
  const compressed = `${BUILT}${path}.br`;
  return readFileSync(existsSync(compressed) ? compressed : BUILT + path).length;
}

const gzipBytes = (path: string) => gzipSync(readFileSync(BUILT + path), { level: 9 }).length;

test.each([
  ["gzip", gzipBytes],
  ["Brotli", brotliBytes],
])("the script of the first load is at most 150 KB in %s", (_, bytesOf) => {
  const sizes = [...firstScripts()].map(bytesOf);
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});
