import { answers, json, type Paths, pathParameter, queryParameter, ref } from "../../http/operation.ts";

const artifactUid = pathParameter("artifactUid", "The id of the artifact.");
const tags = ["runs"];

/** What agents have left. */
export const artifactPaths: Paths = {
  "/agent/artifacts/{artifactUid}": {
    get: {
      operationId: "getArtifact",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get an artifact of a run, with a download URL if it is a file",
      tags,
      parameters: [artifactUid],
      responses: answers({ 200: json("The artifact.", ref("ArtifactDetails")) }),
    },
  },
  "/agent/artifacts/{artifactUid}/download": {
    get: {
      operationId: "downloadArtifact",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Download a file artifact of a run, byte for byte",
      tags,
      parameters: [artifactUid],
      responses: answers({
        200: {
          description: "The bytes, with the media type derived from the file name.",
          content: { "*/*": { schema: {} } },
        },
      }),
    },
  },
  "/agent/artifacts/{artifactUid}/file": {
    get: {
      operationId: "downloadByLink",
      summary: "Download a file through an expiring link",
      tags,
      security: [],
      parameters: [
        artifactUid,
        {
          ...queryParameter("expires", "The expiry time of the link, in seconds since 1970.", {
            type: "integer",
            minimum: 0,
          }),
          required: true,
        },
        {
          ...queryParameter("signature", "The signature that proves that this server created the link.", {
            type: "string",
          }),
          required: true,
        },
      ],
      responses: answers({
        200: {
          description: "The bytes, with the media type derived from the file name.",
          content: { "*/*": { schema: {} } },
        },
      }),
    },
  },
};
