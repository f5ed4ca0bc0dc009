import openapiTypescript, { astToString } from "openapi-typescript";

const HEADER =
  "// Made by `npm run generate` from the API's description (src/api/contract/). Do not edit.\n\n";
/** The description is the same on every server but for its address. */
const EXAMPLE_URL = "http://127.0.0.1:8787";

/** Every generated file with its content. Needs a build, whose description it reads. */
export async function generated() {
  const { openApiDocument } = await import("../dist/api/contract/document.js");
  const document = openApiDocument(EXAMPLE_URL);
  // An object without named members is one of any members.
  const types = astToString(
    await openapiTypescript(structuredClone(document), { emptyObjectsUnknown: true }),
  );
  return [
    { path: "schemas/openapi.json", content: `${JSON.stringify(document, null, 2)}\n` },
    { path: "src/client/api-types.ts", content: HEADER + types },
  ];
}
