import type { RunStore } from "../../../runs/run-store.ts";
import { REFUSAL_REASONS } from "../../../runs/turn/reaches.ts";
import type { Endpoints } from "../../http/endpoint.ts";
import { text } from "../../http/shapes.ts";
import { findRun } from "../find-run.ts";

const reach = {
  host: text,
  port: { type: "integer", minimum: 0, maximum: 65_535 },
  requests: { type: "integer", minimum: 1, description: "The number of connections or requests." },
} as const;

/** What the programs of a run have reached over the network. */
export const networkModels = {
  RunNetwork: {
    type: "object",
    additionalProperties: false,
    description:
      "The hosts that a run reached and was refused, in all turns. Recorded only for runs whose network is limited.",
    required: ["reached", "refused"],
    properties: {
      reached: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["host", "port", "requests"],
          properties: reach,
        },
      },
      refused: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["host", "port", "reason", "requests"],
          properties: { ...reach, reason: { type: "string", enum: [...REFUSAL_REASONS] } },
        },
      },
    },
  },
};

export interface RunNetworkDeps {
  runs: Pick<RunStore, "find" | "listReaches">;
}

export function runNetworkEndpoints(deps: RunNetworkDeps) {
  return {
    getRunNetwork: {
      async handle(request) {
        const { id } = await findRun(request, deps);
        return { json: await deps.runs.listReaches(id) };
      },
    },
  } satisfies Endpoints;
}
