// `npm run generate`: writes what is made from the API's description: schemas/openapi.json, the client's types and the bundle of the schemas.
// A test holds the committed files against what this would write.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generated } from "./generated.mjs";

for (const { path, content } of await generated()) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), content);
  console.log(`wrote ${path}`);
}
