import { instant, text } from "../../http/shapes.ts";

const usageCounts = {
  input_tokens: { type: "integer", description: "All input tokens, including those read from a cache." },
  output_tokens: { type: "integer" },
  cached_tokens: { type: "integer", description: "The input tokens that were read from a cache." },
  cost_usd: {
    type: ["number", "null"],
    description: "The cost as reported by the harness; null if it reports none.",
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
        description: "The cost; omitted if the harness does not report one.",
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
      usage: {
        type: "object",
        additionalProperties: false,
        required: ["input_tokens", "output_tokens", "cached_tokens", "cost_usd", "turns"],
        properties: {
          ...usageCounts,
          turns: {
            type: "array",
            items: {
              type: "object",
              additionalProperties: false,
              required: [
                ...["turn", "model_id", "input_tokens", "output_tokens", "cached_tokens", "cost_usd"],
                "reported_at",
              ],
              properties: {
                turn: { type: "integer", minimum: 1 },
                model_id: text,
                ...usageCounts,
                reported_at: instant,
              },
            },
          },
        },
      },
    },
  },
};
