import type { Models } from "../../client/typed-paths.ts";
import type { HarnessEvent } from "../../executor/harness/harness-event.ts";
import { addKnown, maxKnown } from "../../insight/usage.ts";
import type { OutputChunk, TranscriptStore } from "../../runs/output/transcript.ts";
import { sumCosts, type TurnUsage, type TurnWork } from "../../runs/output/usage.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { REFUSAL_REASONS } from "../../runs/turn/reaches.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { type Cursors, cutPage } from "../http/page.ts";
import { text } from "../models/shapes.ts";
import { findRun } from "./find-run.ts";

export interface RunUsageDeps {
  runs: Pick<RunStore, "find" | "listUsage" | "listTurnWork">;
  now: () => Date;
}

/** What the models of a run were used for, turn by turn. */
export function runUsageEndpoints(deps: RunUsageDeps) {
  return {
    getHarnessUsage: {
      handle: (request) => getHarnessUsage(request, deps),
    },
  } satisfies Endpoints;
}

async function getHarnessUsage(request: ApiRequest<"getHarnessUsage">, { runs, now }: RunUsageDeps) {
  const { id } = await findRun(request, { runs });
  const usage = (await runs.listUsage([id]))[id] ?? [];
  const work = (await runs.listTurnWork([id]))[id] ?? [];
  // A run is a conversation of turns, so it goes by the run's id.
  const of = {
    conversation_id: id,
    run_id: id,
    ...(work.length > 0 ? { resources: resourcesView(work) } : {}),
  };
  if (usage.length === 0) return { json: { available: false, ...of } };
  const last = Math.max(...usage.map(({ reportedAt }) => Date.parse(reportedAt)));
  return {
    json: {
      available: true,
      ...of,
      age_seconds: Math.max(0, Math.floor((now().getTime() - last) / 1_000)),
      usage: { ...sums(usage), turns: usage.map(turnView) },
    },
  };
}

/** The usage of a run in the shape of the public API, which its item has as `request_usage`. */
export function requestUsage(usage: readonly TurnUsage[]): Models["RequestUsage"] {
  const models = new Map<string, TurnUsage[]>();
  for (const one of usage) models.set(one.model, [...(models.get(one.model) ?? []), one]);
  const cost = sumCosts(usage);
  return {
    ...(cost === null ? {} : { inference_cost_usd: cost }),
    total_tokens: totalTokens(usage),
    model_token_usage: [...models].map(([model, own]) => ({
      model_id: model,
      total_tokens: totalTokens(own),
      // Agents bring the keys of their models along.
      usage_type: "byok",
      tokens_by_category: {
        input: sum(own, "inputTokens") - sum(own, "cachedTokens"),
        input_cache_read: sum(own, "cachedTokens"),
        output: sum(own, "outputTokens"),
      },
    })),
  };
}

function sums(usage: readonly TurnUsage[]) {
  return {
    input_tokens: sum(usage, "inputTokens"),
    output_tokens: sum(usage, "outputTokens"),
    cached_tokens: sum(usage, "cachedTokens"),
    cost_usd: sumCosts(usage),
    unpriced_tokens: totalTokens(usage.filter(({ costUsd }) => costUsd === null)),
  };
}

function resourcesView(work: readonly TurnWork[]): Models["RunResources"] {
  return { ...sumWork(work), turns: work.map((each) => ({ turn: each.turn, ...sumWork([each]) })) };
}

/** What the agents of a run have taken of their machines, of one turn or of several. */
function sumWork(work: readonly Omit<TurnWork, "turn">[]) {
  const none = { workedMs: null, cpuMs: null, peakMemoryBytes: null };
  const { workedMs, cpuMs, peakMemoryBytes } = work.reduce<Omit<TurnWork, "turn">>(
    (sum, each) => ({
      workedMs: addKnown(sum.workedMs, each.workedMs),
      cpuMs: addKnown(sum.cpuMs, each.cpuMs),
      peakMemoryBytes: maxKnown(sum.peakMemoryBytes, each.peakMemoryBytes),
    }),
    none,
  );
  return {
    work_seconds: workedMs === null ? null : workedMs / 1_000,
    cpu_seconds: cpuMs === null ? null : cpuMs / 1_000,
    peak_memory_bytes: peakMemoryBytes,
  };
}

/** The resources of a run in its item, once something was counted. */
export async function runResources(
  id: string,
  { runs }: Pick<RunUsageDeps, "runs">,
): Promise<{ resources?: Models["RunResources"] }> {
  const work = (await runs.listTurnWork([id]))[id] ?? [];
  return work.length > 0 ? { resources: resourcesView(work) } : {};
}

function turnView(usage: TurnUsage) {
  return {
    turn: usage.turn,
    model_id: usage.model,
    ...sums([usage]),
    cost_source: usage.costSource,
    source: usage.source,
    reported_at: usage.reportedAt,
  };
}

const totalTokens = (usage: readonly TurnUsage[]) => sum(usage, "inputTokens") + sum(usage, "outputTokens");

function sum(usage: readonly TurnUsage[], key: "inputTokens" | "outputTokens" | "cachedTokens"): number {
  return usage.reduce((total, one) => total + one[key], 0);
}

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

export interface RunStepsDeps {
  runs: Pick<RunStore, "find">;
  transcripts: Pick<TranscriptStore, "list">;
  cursors: Cursors;
}

/** What the harness of a run tells of its agent's work: messages, calls of tools and their results. */
export function runStepEndpoints(deps: RunStepsDeps) {
  return {
    listRunSteps: { handle: (request) => listSteps(request, deps) },
  } satisfies Endpoints;
}

async function listSteps(request: ApiRequest<"listRunSteps">, { runs, transcripts, cursors }: RunStepsDeps) {
  const run = await findRun(request, { runs });
  const { limit, cursor } = request.query;
  const scope = { steps: run.id };
  const [after = 0] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const chunks: OutputChunk[] = [];
  // The store gives fewer at a time where they are large.
  for (;;) {
    const from = chunks.at(-1)?.seq ?? Number(after);
    const more = await transcripts.list(run.id, from, limit + 1 - chunks.length, "events");
    chunks.push(...more);
    if (more.length === 0 || chunks.length > limit) break;
  }
  const { items, pageInfo } = cutPage(chunks, limit, (last) => cursors.encode(scope, [String(last.seq)]));
  return { json: { steps: items.map(runStep), page_info: pageInfo } };
}

/** An event of a harness as the API tells it. */
export function runStep({ seq, turn, at, bytes }: OutputChunk): Models["RunStep"] {
  const event: HarnessEvent = JSON.parse(Buffer.from(bytes).toString("utf8"));
  const base = { id: seq, turn, time: at, type: event.type };
  switch (event.type) {
    case "tool_call":
      return { ...base, name: event.name, input: event.input, ...ofCall(event.call) };
    case "tool_result":
      return { ...base, output: event.output, ...ofCall(event.call), ...ofError(event.isError) };
    case "notice":
      return { ...base, text: event.text, ...ofError(event.isError) };
    case "result":
      return {
        ...base,
        ...(event.text === undefined ? {} : { text: event.text }),
        ...ofError(event.isError),
        ...(event.tokens === undefined ? {} : { tokens: event.tokens }),
        ...(event.costUsd === undefined ? {} : { cost_usd: event.costUsd }),
        ...(event.durationMs === undefined ? {} : { duration_ms: event.durationMs }),
      };
    default:
      return { ...base, text: event.text };
  }
}

function ofCall(call: string | undefined) {
  return call === undefined ? {} : { call_id: call };
}

function ofError(isError: true | undefined) {
  return isError ? { is_error: true } : {};
}
