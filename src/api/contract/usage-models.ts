import { instant, text } from "./shapes.ts";

const usageCounts = {
  input_tokens: { type: "integer", description: "All of the input, with what was read from a cache." },
  output_tokens: { type: "integer" },
  cached_tokens: { type: "integer", description: "The part of the input that was read from a cache." },
  cost_usd: { type: ["number", "null"], description: "As the harness reckons it; null where it tells none." },
} as const;

/** What the models of a run were used for. */
export const usageModels = {
  RequestUsage: {
    type: "object",
    additionalProperties: false,
    description: "What its models were used for so far, in all turns, where its harness tells that.",
    required: ["total_tokens", "model_token_usage"],
    properties: {
      inference_cost_usd: { type: "number", description: "Where its harness tells a cost." },
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
      available: { type: "boolean", description: "Whether its harness has told any." },
      conversation_id: { type: "string", format: "uuid", description: "The same as run_id." },
      run_id: { type: "string", format: "uuid" },
      age_seconds: { type: "integer", minimum: 0, description: "Since it was told last." },
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
