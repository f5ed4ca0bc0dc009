import { ref } from "../http/operation.ts";
import { attachmentsOf, count, instant, record, text } from "./shapes.ts";

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
  Artifact: record({
    artifact_type: { type: "string", enum: ARTIFACT_TYPES },
    created_at: instant,
    data: ref("ArtifactData"),
  }),
  ArtifactData: {
    type: "object",
    additionalProperties: false,
    required: ["artifact_uid"],
    properties: artifactData,
  },
  ArtifactDetails: record({
    artifact_type: { type: "string", enum: ARTIFACT_TYPES },
    artifact_uid: { type: "string", format: "uuid" },
    created_at: instant,
    run_id: { type: "string", format: "uuid", description: "The run that produced the artifact." },
    data: ref("ArtifactDetailsData"),
  }),
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

/** What is answered about the steps of an agent's work. */
export const stepModels = {
  RunSteps: record({ steps: { type: "array", items: ref("RunStep") }, page_info: ref("PageInfo") }),
  RunStep: record({
    id: {
      type: "integer",
      minimum: 1,
      description: "The number of the step; later steps have higher numbers.",
    },
    turn: { type: "integer", minimum: 1 },
    time: instant,
    type: {
      type: "string",
      enum: ["message", "thinking", "plan", "tool_call", "tool_result", "notice", "output", "result"],
      description:
        "A notice is a message of the program itself, such as a retry. Output is a line that is not an event of the program. A result ends a turn, or a part of it.",
    },
    "text?": { type: "string", description: "The text; secrets are masked, and long texts are cut." },
    "call_id?": { type: "string", description: "Connects a tool call with its result." },
    "name?": { type: "string", description: "The name of the tool." },
    "input?": { type: "string", description: "The input of the tool; usually JSON or a command." },
    "output?": text,
    "is_error?": { type: "boolean" },
    "tokens?": { type: "number" },
    "cost_usd?": { type: "number" },
    "duration_ms?": { type: "number" },
  }),
} as const;

/** What of a use of models is counted, in every answer that tells of it. */
export const usageCounts = {
  input_tokens: { ...count, description: "All input tokens, including those read from a cache." },
  output_tokens: count,
  cached_tokens: { ...count, description: "The input tokens that were read from a cache." },
  cost_usd: {
    type: ["number", "null"],
    minimum: 0,
    description:
      "The cost in US dollars: as reported by the harness, and otherwise the tokens times the price of the model; null if neither is known.",
  },
  unpriced_tokens: {
    ...count,
    description: "Input and output tokens whose cost is unknown, and therefore not part of cost_usd.",
  },
} as const;

const resources = {
  work_seconds: {
    type: ["number", "null"],
    minimum: 0,
    description: "How long the agent was running; null while the turn goes on.",
  },
  cpu_seconds: {
    type: ["number", "null"],
    minimum: 0,
    description:
      "The CPU time of the agent and of what it started; null if the run had no cgroup to measure it.",
  },
  peak_memory_bytes: {
    type: ["integer", "null"],
    minimum: 0,
    description: "The highest memory use of the same processes; null if it was not measured.",
  },
} as const;

/** What the models of a run were used for. */
export const usageModels = {
  RequestUsage: {
    type: "object",
    additionalProperties: false,
    description: "The model usage of the run so far, in all turns, if the harness reports it.",
    required: ["total_tokens", "model_token_usage"],
    properties: {
      inference_cost_usd: {
        type: "number",
        description: "The known cost; omitted if neither the harness nor the price of a model tells one.",
      },
      total_tokens: { type: "integer" },
      model_token_usage: {
        type: "array",
        items: record({
          model_id: text,
          total_tokens: { type: "integer" },
          usage_type: { type: "string", enum: ["byok"] },
          tokens_by_category: record({
            input: { type: "integer" },
            input_cache_read: { type: "integer" },
            output: { type: "integer" },
          }),
        }),
      },
    },
  },
  RunResources: {
    type: "object",
    additionalProperties: false,
    description: "What the agents of a run took of the machines that executed them.",
    required: [...Object.keys(resources), "turns"],
    properties: {
      ...resources,
      turns: {
        type: "array",
        items: record({ turn: { type: "integer", minimum: 1 }, ...resources }),
      },
    },
  },
  HarnessUsage: record({
    available: { type: "boolean", description: "Whether the harness has reported any usage." },
    conversation_id: { type: "string", format: "uuid", description: "Same as run_id." },
    run_id: { type: "string", format: "uuid" },
    "age_seconds?": {
      type: "integer",
      minimum: 0,
      description: "The time since the last report, in seconds.",
    },
    "resources?": ref("RunResources"),
    "usage?": record({
      ...usageCounts,
      turns: {
        type: "array",
        items: record({
          turn: { type: "integer", minimum: 1 },
          model_id: text,
          ...usageCounts,
          cost_source: {
            enum: ["reported", "priced", null],
            description:
              "Whether the harness reported the cost, or it was calculated from the price of the model when the usage was stored.",
          },
          source: {
            type: "string",
            enum: ["harness", "proxy", "estimate"],
            description:
              "Whether the harness reported the tokens, or they were measured on the network. An estimate is what was measured where answers did not tell all tokens: the others are estimated from the size of requests and answers.",
          },
          reported_at: instant,
        }),
      },
    }),
  }),
};
