// Builds the dashboard into dist/dashboard, with each file compressed next to it: once here instead of at every request. It is built
// aside, because a server that waits for it takes all of its files as soon as the folder exists.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { licencesOf } from "./licences.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const place = join(root, "dist", "dashboard");
const folder = join(root, `.dist-dashboard-${process.pid}`);
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
/** Smaller ones travel in one packet either way. */
const SMALLEST_BYTES = 1024;

const { output } = await build({
  configFile: fileURLToPath(new URL("../dashboard/vite.config.ts", import.meta.url)),
  logLevel: "warn",
  build: { outDir: folder },
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
mkdirSync(join(root, "dist"), { recursive: true });
rmSync(place, { recursive: true, force: true });
renameSync(folder, place);
