import type { SandboxMode } from "../../runs/turn/isolation.ts";

export const text = { type: "string" };
export const amount = { type: "number", minimum: 0 };
const optionalAmount = { type: ["number", "null"], minimum: 0 };
export const texts = { type: "array", items: text };
export const bytes = {
  type: "object",
  required: ["$base64"],
  additionalProperties: false,
  properties: { $base64: text },
};
export const form = (properties: object, optional: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
export const NONE = form({});

export const chunk = form({
  // One that cannot be counted on would leave later turns without numbers.
  seq: { type: "integer", minimum: 1, maximum: 1_000_000_000_000 },
  turn: { type: "integer", minimum: 1 },
  stream: { enum: ["stdout", "stderr", "event", "harness"] },
  at: { type: "string", format: "date-time", maxLength: 40 },
  bytes,
});
export const isolation = form({
  sandbox: { enum: ["bwrap", "container", "none"] satisfies SandboxMode[] },
  weaknesses: { type: "array", maxItems: 50, items: { type: "string", maxLength: 2_000 } },
});
export const statusMessage = form({ message: text, error_code: text, retryable: { type: "boolean" } }, [
  "error_code",
  "retryable",
]);
export const ending = form(
  {
    state: { enum: ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"] },
    exitCode: { type: ["integer", "null"] },
    statusMessage: { anyOf: [statusMessage, { type: "null" }] },
    answer: text,
    isOutput: { const: true },
    isUnstarted: { const: true },
  },
  ["answer", "isOutput", "isUnstarted"],
);
export const usage = form(
  {
    model: { type: "string", maxLength: 300 },
    inputTokens: amount,
    outputTokens: amount,
    cachedTokens: amount,
    costUsd: optionalAmount,
    isEstimate: { type: "boolean" },
  },
  ["isEstimate"],
);
export const failedServers = {
  type: "array",
  maxItems: 100,
  items: form({
    name: { type: "string", maxLength: 300 },
    reason: { type: "string", maxLength: 2_000 },
  }),
};
export const resources = form({ cpuMs: optionalAmount, peakMemoryBytes: optionalAmount });
export const reach = {
  host: { type: "string", maxLength: 300 },
  port: { type: "integer", minimum: 0, maximum: 65_535 },
  requests: { type: "integer", minimum: 0 },
};
/** Of each program of a turn, some hundred are listed. */
export const MAX_REACHES = 20_000;
export const file = form({
  id: { type: "string", format: "uuid" },
  path: { type: "string", maxLength: 4_096 },
  size: { type: "integer", minimum: 0 },
  sha256: { type: "string", pattern: "^[0-9a-f]{64}$" },
  holdsSecret: { type: "boolean" },
});
