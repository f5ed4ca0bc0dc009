import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const BUILT = fileURLToPath(new URL("../../dist/dashboard/", import.meta.url));
const MAX_BYTES = 150 * 1_024;

/** What the first page loads: the scripts that it names, and all that these import before they run. */
function firstScripts(): Set<string> {
  const page = readFileSync(`${BUILT}index.html`, "utf8");
  const found = new Set<string>();
  const waiting = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const script = readFileSync(BUILT + path, "utf8");
    for (const [, name] of script.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      waiting.push(`assets/${name}`);
  }
  return found;
}

/** Small files are sent as they are. */
function sentBytes(path: string): number {
  const compressed = `${BUILT}${path}.br`;
  return readFileSync(existsSync(compressed) ? compressed : BUILT + path).length;
}

test("the script of the first load is at most 150 KB, as it is sent to a browser that takes Brotli", () => {
  const sizes = [...firstScripts()].map(sentBytes);
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});
