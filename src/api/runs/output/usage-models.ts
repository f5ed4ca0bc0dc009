import { ref } from "../../http/operation.ts";
import { count, instant, text } from "../../http/shapes.ts";

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
        items: {
          type: "object",
          additionalProperties: false,
          required: ["model_id", "total_tokens", "usage_type", "tokens_by_category"],
          properties: {
            model_id: text,
            total_tokens: { type: "integer" },
            usage_type: { type: "string", enum: ["byok"] },
            tokens_by_category: {
              type: "object",
              additionalProperties: false,
              required: ["input", "input_cache_read", "output"],
              properties: {
                input: { type: "integer" },
                input_cache_read: { type: "integer" },
                output: { type: "integer" },
              },
            },
          },
        },
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
        items: {
          type: "object",
          additionalProperties: false,
          required: ["turn", ...Object.keys(resources)],
          properties: { turn: { type: "integer", minimum: 1 }, ...resources },
        },
      },
    },
  },
  HarnessUsage: {
    type: "object",
    additionalProperties: false,
    required: ["available", "conversation_id", "run_id"],
    properties: {
      available: { type: "boolean", description: "Whether the harness has reported any usage." },
      conversation_id: { type: "string", format: "uuid", description: "Same as run_id." },
      run_id: { type: "string", format: "uuid" },
      age_seconds: {
        type: "integer",
        minimum: 0,
        description: "The time since the last report, in seconds.",
      },
      resources: ref("RunResources"),
      usage: {
        type: "object",
        additionalProperties: false,
        required: ["input_tokens", "output_tokens", "cached_tokens", "cost_usd", "unpriced_tokens", "turns"],
        properties: {
          ...usageCounts,
          turns: {
            type: "array",
            items: {
              type: "object",
              additionalProperties: false,
              required: [
                ...["turn", "model_id", "input_tokens", "output_tokens", "cached_tokens", "cost_usd"],
                ...["unpriced_tokens", "cost_source", "source", "reported_at"],
              ],
              properties: {
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
              },
            },
          },
        },
      },
    },
  },
};
