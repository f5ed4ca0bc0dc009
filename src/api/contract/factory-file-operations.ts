import { answers, body, json, type Paths, pathParameter, ref } from "./operation.ts";

const version = pathParameter("version", "A version of the definition format, for example v1alpha1.");
const open = { tags: ["factory files"], security: [] };

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of an answer that is known.",
  schema: { type: "string" },
};
const unchanged = { 304: { description: "It is the one that is known." } };

export const factoryFilePaths: Paths = {
  "/factory-files/schemas": {
    get: {
      ...open,
      operationId: "listFactoryFileSchemas",
      summary: "List the versions of the definition format",
      parameters: [ifNoneMatch],
      responses: answers({ 200: json("The versions.", ref("FactoryFileVersions")), ...unchanged }),
    },
  },
  "/factory-files/schemas/{version}": {
    get: {
      ...open,
      operationId: "getFactoryFileSchemas",
      summary: "Get every schema of a version",
      parameters: [version, ifNoneMatch],
      responses: answers({ 200: json("The schemas.", ref("FactoryFileSchemas")), ...unchanged }),
    },
  },
  "/factory-files/schemas/{version}/{document}": {
    get: {
      ...open,
      operationId: "getFactoryFileSchema",
      summary: "Get one schema, as editors do",
      parameters: [
        version,
        pathParameter("document", "Its file name, for example webhook.schema.json."),
        ifNoneMatch,
      ],
      responses: answers({
        200: json("The schema (JSON Schema 2020-12).", { type: "object" }),
        ...unchanged,
      }),
    },
  },
  "/factory-files/validate": {
    post: {
      tags: ["factory files"],
      operationId: "validateFactoryFiles",
      summary:
        "Check a definition without a server's state; needs a key unless MILLRACE_PUBLIC_VALIDATE is on",
      requestBody: body(ref("ValidateFilesRequest")),
      responses: answers({ 200: json("What was found, also when it is not valid.", ref("FilesValidation")) }),
    },
  },
};
