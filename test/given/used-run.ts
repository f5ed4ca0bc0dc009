import { newUuid } from "../../src/id.ts";
import type { CostedUsage, TurnResources, UsageSource } from "../../src/runs/output/usage.ts";
import type { NewRun } from "../../src/runs/run.ts";
import type { Store } from "../../src/store/store.ts";
import { aRun, LEASE } from "./store.ts";

/** Usage of a model, of so many tokens. */
export function usageOf(model: string, tokens: number, costUsd: number | null = null): CostedUsage {
  return {
    model,
    inputTokens: tokens,
    outputTokens: tokens / 10,
    cachedTokens: tokens / 2,
    costUsd,
    costSource: costUsd === null ? null : "reported",
  };
}

/** A turn of a run, and what it has used. */
interface UsedTurn {
  /** When it was started. */
  at: string;
  /** When it ended; it goes on without. */
  endedAt?: string;
  usage?: readonly CostedUsage[];
  source?: UsageSource;
  resources?: TurnResources;
}

/** A run with turns that have used something. The usage is told at the end of the turn, or as it starts. */
export async function usedRun(
  { runs }: Pick<Store, "runs">,
  changes: Partial<NewRun>,
  ...turns: readonly UsedTurn[]
): Promise<string> {
  const { id } = await runs.create(aRun(changes), turns[0]?.at ?? "");
  for (const [index, { at, endedAt, usage, source = "harness", resources }] of turns.entries()) {
    if (index > 0) {
      const creator = { uid: "ann", type: "user" as const, displayName: "Ann" };
      await runs.followUp({ id: newUuid(), runId: id, message: "More.", creator }, null, at);
    }
    const [claimed] = await runs.claim(1, LEASE, at);
    if (claimed?.run.id !== id) throw new Error("another run was claimed");
    const ticket = { id, ticket: claimed.ticket };
    await runs.start({ ...ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, at);
    if (usage) await runs.keepUsage(ticket, usage, source, endedAt ?? at);
    if (resources) await runs.keepResources(ticket, resources, endedAt ?? at);
    if (endedAt !== undefined)
      await runs.finish(ticket, { state: "SUCCEEDED", exitCode: 0, statusMessage: null }, endedAt);
  }
  return id;
}
