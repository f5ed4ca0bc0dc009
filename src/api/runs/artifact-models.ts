import { ref } from "../http/operation.ts";
import { attachmentsOf, instant, text } from "../http/shapes.ts";

/** What a run can leave behind, as the public API names it. */
export const ARTIFACT_TYPES = ["PLAN", "PULL_REQUEST", "SCREENSHOT", "FILE", "EXTERNAL_REFERENCE"];

const artifactData = {
  artifact_uid: { type: "string", format: "uuid" },
  document_uid: { type: "string", format: "uuid", description: "For a plan: same as artifact_uid." },
  notebook_uid: { type: "string", format: "uuid", description: "For a plan: same as artifact_uid." },
  title: text,
  url: text,
  branch: {
    type: "string",
    description: "For a pull request: its branch; empty if the agent did not report it.",
  },
  status: {
    type: "string",
    enum: ["unknown"],
    description: "For a pull request: always unknown, because the forge is not queried.",
  },
  reference_type: { type: "string", description: "For an external reference: its type." },
  content: { type: "string", description: "For a plan: its text." },
  filepath: { type: "string", description: "For a file: its path relative to the folder artifacts/." },
  filename: text,
  mime_type: text,
  size_bytes: { type: "integer", minimum: 0 },
  sha256: text,
  contains_secret: {
    type: "boolean",
    description: "For a text file: whether it contains the value of a secret that was granted to the run.",
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
        description: "For a file: a URL to download it without a key, until expires_at.",
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
