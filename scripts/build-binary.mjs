// `npm run build:binary`: the whole program as one file, for the platform that builds it (a Node single executable
// application). What has to be a file is unpacked when it is needed: src/platform/assets.ts.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "postject";
import { rolldown } from "rolldown";
import { buildInfo } from "./build-info.mjs";
import { staticRequires } from "./static-requires.mjs";

const { addonFile, driverPackage } = createRequire(import.meta.url)("./sqlite-addon.cjs");
/** The binary is of one Node: it needs one driver, and the other may not be installed. */
const otherDriver = ["better-sqlite3", "better-sqlite3-13"].find((name) => name !== driverPackage());
const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const made = join(dist, "binary");
const binary = join(dist, "millrace");
/** What Node looks for in its own executable (https://nodejs.org/api/single-executable-applications.html). */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
/** Programs of threads. In the place of one that is bundled, only what loads the bundle is left. */
const THREADS = {
  "store-thread.cjs": "bundle/thread.cjs",
  "replay-thread.cjs": "plans/replay-thread.js",
  "load-thread.cjs": "bundle/load-thread.cjs",
  "match-thread.cjs": "bundle/match-thread.cjs",
  "answer-thread.cjs": "bundle/answer-thread.cjs",
};
/** Folders that the program reads as they are. */
const FOLDERS = ["schemas", "examples", "docs", join("dist", "dashboard")];

rmSync(made, { recursive: true, force: true });
mkdirSync(made, { recursive: true });
const main = await joined("binary-main.js", "main.cjs");
const assets = { "package.json": join(root, "package.json"), "better_sqlite3.node": addonFile() };
for (const [name, entry] of Object.entries(THREADS)) assets[name] = await joined(entry, name);
for (const folder of FOLDERS) Object.assign(assets, filesIn(join(root, folder)));
assets["LICENCES.txt"] = join(dist, "bundle", "LICENCES.txt");
assets["build.json"] = write("build.json", JSON.stringify(buildInfo()));
assets["files.json"] = write("files.json", JSON.stringify(Object.keys(assets).sort()));

const blob = join(made, "sea.blob");
const config = { main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true, assets };
execFileSync(process.execPath, ["--experimental-sea-config", write("sea.json", JSON.stringify(config))], {
  stdio: ["ignore", "ignore", "inherit"],
});
copyFileSync(process.execPath, binary);
await inject(binary, "NODE_SEA_BLOB", readFileSync(blob), { sentinelFuse: FUSE });
const sum = createHash("sha256").update(readFileSync(binary)).digest("hex");
writeFileSync(`${binary}.sha256`, `${sum}  millrace\n`);
console.log(`dist/millrace  ${sum}`);

/** Joins a program and all that it loads into one file. */
async function joined(entry, name) {
  const bundle = await rolldown({
    input: join(dist, entry),
    platform: "node",
    external: [otherDriver],
    plugins: [staticRequires],
    transform: { define: { "import.meta.url": '"file:///"' } },
    checks: { eval: false },
  });
  const file = join(made, name);
  await bundle.write({ file, format: "cjs", strict: true, codeSplitting: false });
  await bundle.close();
  return file;
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [relative(root, file).split(sep).join("/"), file]));
}

function write(name, text) {
  const file = join(made, name);
  writeFileSync(file, text);
  return file;
}
