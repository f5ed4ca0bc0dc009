import type { Models } from "../../../client/typed-paths.ts";
import { addKnown, maxKnown } from "../../../insight/usage.ts";
import { sumCosts, type TurnUsage, type TurnWork } from "../../../runs/output/usage.ts";
import type { RunStore } from "../../../runs/run-store.ts";
import type { ApiRequest, Endpoints } from "../../http/endpoint.ts";
import { findRun } from "../find-run.ts";

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
    ...{ conversation_id: id, run_id: id },
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
