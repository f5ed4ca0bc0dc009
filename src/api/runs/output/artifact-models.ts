import { ref } from "../../http/operation.ts";
import { attachmentsOf, instant, text } from "../../http/shapes.ts";

/** What a run can leave behind, as the public API names it. */
export const ARTIFACT_TYPES = ["PLAN", "PULL_REQUEST", "SCREENSHOT", "FILE", "EXTERNAL_REFERENCE"];

const artifactData = {
  artifact_uid: { type: "string", format: "uuid" },
  document_uid: {
    type: "string",
    format: "uuid",
    description: "The UID of a plan, which is the same as artifact_uid.",
  },
  notebook_uid: {
    type: "string",
    format: "uuid",
    description: "The UID of a plan, which is the same as artifact_uid.",
  },
  title: text,
  url: text,
  branch: {
    type: "string",
    description:
      "The branch of a pull request, which is empty if the agent did not report it, or the name of a reported branch.",
  },
  status: {
    type: "string",
    enum: ["unknown"],
    description: "The status of a pull request. It is always unknown, because the forge is not queried.",
  },
  reference_type: {
    type: "string",
    description: "The type of an external reference; branch for a branch, which may have no url.",
  },
  repository: { type: "string", description: "The repository of a reported branch, as owner/name." },
  commit: { type: "string", description: "The commit that a reported branch had." },
  content: { type: "string", description: "The text of a plan." },
  filepath: { type: "string", description: "The path of a file, relative to the folder artifacts/." },
  filename: text,
  kind: {
    type: "string",
    enum: ["patch"],
    description: "Set for files whose names end in .patch or .diff.",
  },
  mime_type: text,
  size_bytes: { type: "integer", minimum: 0 },
  sha256: text,
  contains_secret: {
    type: "boolean",
    description: "Whether a text file contains the value of a secret that was granted to the run.",
  },
};

/** The models of what runs leave, under the names that the public API gives them. */
export const artifactModels = {
  Artifact: {
    type: "object",
    additionalProperties: false,
    required: ["artifact_type", "created_at", "data"],
    properties: {
      artifact_type: { type: "string", enum: ARTIFACT_TYPES },
      created_at: instant,
      data: ref("ArtifactData"),
    },
  },
  ArtifactData: {
    type: "object",
    additionalProperties: false,
    required: ["artifact_uid"],
    properties: artifactData,
  },
  ArtifactDetails: {
    type: "object",
    additionalProperties: false,
    required: ["artifact_type", "artifact_uid", "created_at", "run_id", "data"],
    properties: {
      artifact_type: { type: "string", enum: ARTIFACT_TYPES },
      artifact_uid: { type: "string", format: "uuid" },
      created_at: instant,
      run_id: { type: "string", format: "uuid", description: "The run that produced the artifact." },
      data: ref("ArtifactDetailsData"),
    },
  },
  ArtifactDetailsData: {
    type: "object",
    additionalProperties: false,
    required: ["artifact_uid"],
    properties: {
      ...artifactData,
      content_type: { type: "string", description: "The media type of the content or the file." },
      download_url: {
        type: "string",
        format: "uri",
        description: "The URL for downloading a file without a key, valid until expires_at.",
      },
      expires_at: { ...instant, description: "When the download_url stops working." },
    },
  },
  HandoffAttachmentList: attachmentsOf({
    attachment_id: { type: "string", format: "uuid", description: "The UID of the artifact." },
    download_url: { type: "string", format: "uri" },
    filename: { type: "string", description: "The path relative to the folder artifacts/." },
    mime_type: text,
  }),
} as const;
