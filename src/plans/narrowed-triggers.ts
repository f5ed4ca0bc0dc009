import type { Automation, RepositoryReference } from "../definitions/definition.ts";
import { asReadNow, isFormer } from "../definitions/events/former-triggers.ts";
import type { NarrowedAutomation } from "../definitions/rules/server-rule.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { ActiveDefinition } from "../reconcile/active-definition.ts";
import { listenersOf } from "./replay.ts";
import { type ReplayDeps, replayTraffic } from "./replay-traffic.ts";

/**
 * Of the automations that an earlier version has applied, those that count fewer of the last days' deliveries when this
 * version reads their triggers.
 */
export async function findNarrowed(
  factoryUid: string,
  { definition, webhooks }: ActiveDefinition,
  repositories: readonly RepositoryReference[],
  { log, ...deps }: ReplayDeps & { log: Log },
): Promise<NarrowedAutomation[]> {
  const former = definition.automations.filter(hasFormerTrigger);
  if (former.length === 0) return [];
  const now = former.map((automation) => asReadNow(automation, repositories));
  const sides = { factoryUid, before: listenersOf(former, webhooks), after: listenersOf(now, webhooks) };
  try {
    const { automations } = await replayTraffic(sides, deps);
    return automations
      .filter(({ before, after }) => before > after)
      .map(({ name, before, after }) => ({ name, dropped: before - after, started: before }));
  } catch (error) {
    log.warn(
      { error: errorMessage(error) },
      "deliveries could not be replayed to find runs that no longer start after an upgrade",
    );
    return [];
  }
}

function hasFormerTrigger({ enabled, triggers }: Automation): boolean {
  return enabled && triggers.some((trigger) => trigger.provider === "github" && isFormer(trigger));
}
