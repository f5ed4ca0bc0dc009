// Builds the dashboard into dist/dashboard, with each file compressed beside it: once here instead of at every request.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { licencesOf } from "./licences.mjs";

const folder = fileURLToPath(new URL("../dist/dashboard", import.meta.url));
/** Smaller ones travel in one packet either way. */
const SMALLEST_BYTES = 1024;

const { output } = await build({
  configFile: fileURLToPath(new URL("../dashboard/vite.config.ts", import.meta.url)),
  logLevel: "warn",
});
writeFileSync(join(folder, "LICENCES.txt"), licencesOf(output.flatMap((chunk) => chunk.moduleIds ?? [])));
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(?:js|css|html|svg)$/.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const content = readFileSync(path);
  if (content.length < SMALLEST_BYTES) continue;
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
}
