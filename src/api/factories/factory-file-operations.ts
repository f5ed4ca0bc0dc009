import { answers, body, json, type Parameter, type Paths, pathParameter, ref } from "../http/operation.ts";

const version = pathParameter("version", "The version of the definition format, for example v1alpha1.");
const open = { tags: ["factory files"], security: [] as const };

const ifNoneMatch: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of a cached response.",
  schema: { type: "string" },
};
const unchanged = { 304: { description: "The cached response is current." } };

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
      summary: "Get all schemas of a version",
      parameters: [version, ifNoneMatch],
      responses: answers({ 200: json("The schemas.", ref("FactoryFileSchemas")), ...unchanged }),
    },
  },
  "/factory-files/schemas/{version}/{document}": {
    get: {
      ...open,
      operationId: "getFactoryFileSchema",
      summary: "Get one schema, for example for an editor",
      parameters: [
        version,
        pathParameter("document", "The schema's file name, for example webhook.schema.json."),
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
      "x-required-role": "viewer",
      summary:
        "Validate a definition without server state; requires a key unless MILLRACE_PUBLIC_VALIDATE is on",
      requestBody: body(ref("ValidateFilesRequest"), true, ["files.content"]),
      responses: answers({
        200: json("The validation result, whether or not the definition is valid.", ref("FilesValidation")),
      }),
    },
  },
};
