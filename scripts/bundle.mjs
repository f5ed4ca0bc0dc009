// Joins the modules that each program loads into a few files, and keeps what V8 makes of them: reading and compiling hundreds of
// them takes half of the time of a start. What tsc has made stays where it is, only the programs themselves lead to their bundles.
import { execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { licencesOf } from "./licences.mjs";
import { staticRequires } from "./static-requires.mjs";

/** Where tsc has put the modules just now; it becomes dist/ when all of it is there. */
const dist = resolve(process.argv[2]);
const folder = join(dist, "bundle");
/** What Node is started with, by its place there. */
const PROGRAMS = [
  "main.js",
  "store/thread.js",
  "definitions/loading/load-thread.js",
  "ingress/matching/match-thread.js",
  "runs/answers/answer-thread.js",
  "executor/supervisor/supervisor-main.js",
  "executor/files/file-worker-main.js",
];
const STUB = "// Made by scripts/bundle.mjs.";

const OWN_PLACE = 'require("node:url").pathToFileURL(__filename)';

/** A module that finds files by its own place still looks from there. */
const placesStay = {
  name: "places-stay",
  transform: (code, id) =>
    code.includes("import.meta.url")
      ? code.replaceAll("import.meta.url", `new URL(${JSON.stringify(fromBundle(id))}, ${OWN_PLACE}).href`)
      : undefined,
};

function fromBundle(id) {
  return relative(folder, id).split(sep).join("/");
}

const bundle = await rolldown({
  input: Object.fromEntries(PROGRAMS.map((path) => [nameOf(path), join(dist, path)])),
  platform: "node",
  // They load a library of the system from their own folder.
  external: ["better-sqlite3", "better-sqlite3-13"],
  plugins: [staticRequires, placesStay],
  // gray-matter could evaluate JavaScript, and is told not to.
  checks: { eval: false },
});
const { output } = await bundle.write({
  dir: folder,
  format: "cjs",
  strict: true,
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
});
await bundle.close();
for (const { fileName, code } of output) if (code) writeFileSync(join(folder, fileName), oneByteEach(code));
// The commands for agents are shown in sandboxes, without anything that lies beside them: so they are one file.
const ofAgents = await rolldown({
  input: join(dist, "agent-main.js"),
  platform: "node",
  transform: { define: { "import.meta.url": '"file:///"' } },
});
const agentOutput = await ofAgents.write({
  file: join(dist, "agent", "millrace.cjs"),
  format: "cjs",
  strict: true,
  minify: true,
  codeSplitting: false,
});
await ofAgents.close();
output.push(...agentOutput.output);
const moduleIds = output.flatMap((chunk) => chunk.moduleIds ?? []);
writeFileSync(join(folder, "LICENCES.txt"), licencesOf(moduleIds));
for (const path of PROGRAMS) {
  const up = "../".repeat(path.split("/").length - 1) || "./";
  writeFileSync(
    join(dist, path),
    `#!/usr/bin/env node\n${STUB}\nimport { load } from "${up}bundle/load.cjs";\n\nload("${nameOf(path)}.cjs");\n`,
  );
}
copyFileSync(new URL("load-chunk.cjs", import.meta.url), join(folder, "load.cjs"));
execFileSync(process.execPath, [fileURLToPath(new URL("warm-bundle.cjs", import.meta.url)), folder], {
  // No setting of whoever builds is one of the program's.
  env: { PATH: process.env.PATH },
  stdio: ["ignore", "ignore", "inherit"],
});

function nameOf(path) {
  return path.slice(path.lastIndexOf("/") + 1, -".js".length);
}

/**
 * V8 keeps the text of a chunk for as long as the program runs, with two bytes for each character as soon as one is beyond Latin-1:
 * these are written by their numbers. One that was escaped already needs its backslash no more.
 */
function oneByteEach(code) {
  return code.replace(/(\\*)([^\0-\xff])/g, (_, slashes, unit) => {
    const number = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `${slashes.length % 2 === 0 ? slashes : slashes.slice(1)}\\u${number}`;
  });
}
