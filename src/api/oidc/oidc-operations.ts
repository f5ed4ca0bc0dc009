import { answers, body, json, type Paths, pathParameter, ref } from "../http/operation.ts";

/** Tokens with which runs prove who they are, and the keys that sign them. */
export const oidcPaths: Paths = {
  "/agent/runs/{runId}/oidc-token": {
    post: {
      operationId: "createIdentityToken",
      "x-run-token": true,
      summary: "Create an OpenID Connect token that proves to a service which run calls",
      tags: ["runs"],
      parameters: [pathParameter("runId", "The id of the run.")],
      requestBody: body(ref("IdentityTokenRequest")),
      responses: answers({ 200: json("The token.", ref("IdentityToken")) }),
    },
  },
  "/identity-keys": {
    post: {
      operationId: "createIdentityKey",
      "x-required-role": "admin",
      summary: "Replace the key that signs the identity tokens of runs",
      tags: ["keys"],
      requestBody: body(ref("IdentityKeyChange"), false),
      responses: answers({ 201: json("The key that signs now.", ref("IdentityKey")) }),
    },
  },
};
