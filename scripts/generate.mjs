// `node scripts/generate.mjs FOLDER [--types]`: writes what is made from the build in this folder (scripts/generated.mjs), next to
// the sources. The types of the API are for the check of types alone, and take a package that serving does without.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { generated, generatedTypes } from "./generated.mjs";

const [folder, ...options] = process.argv.slice(2);
const build = pathToFileURL(`${resolve(folder)}/`);
const files = [
  ...(await generated(build)),
  ...(options.includes("--types") ? await generatedTypes(build) : []),
];
for (const { path, content } of files) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (read(file) === content) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
