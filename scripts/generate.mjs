// Writes what is made from the API's description: schemas/openapi.json, the client's types and the bundle of the schemas.
// A test holds the committed files against what this would write.
import { writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { generated } from "./generated.mjs";

for (const { path, content } of await generated(pathToFileURL(`${process.argv[2]}/`))) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), content);
  console.log(`wrote ${path}`);
}
