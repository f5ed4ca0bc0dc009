import type { Automation, RepositoryReference } from "../definitions/definition.ts";
import { asReadNow, isFormer } from "../definitions/former-triggers.ts";
import { listenersOf } from "../definitions/replay.ts";
import { errorMessage } from "../error.ts";
import type { Log } from "../log.ts";
import type { ServedDefinition } from "../reconcile/served.ts";
import type { NarrowedAutomation } from "../reconcile/warn-of-narrowing.ts";
import { type ReplayParts, replayTraffic } from "./replay-traffic.ts";

/**
 * Of the automations that an earlier version has applied, those that count fewer of the last days' deliveries when this
 * version reads their triggers.
 */
export async function findNarrowed(
  factoryUid: string,
  { definition, webhooks }: ServedDefinition,
  repositories: readonly RepositoryReference[],
  { log, ...parts }: ReplayParts & { log: Log },
): Promise<NarrowedAutomation[]> {
  const former = definition.automations.filter(hasFormerTrigger);
  if (former.length === 0) return [];
  const now = former.map((automation) => asReadNow(automation, repositories));
  const sides = { factoryUid, before: listenersOf(former, webhooks), after: listenersOf(now, webhooks) };
  try {
    const { automations } = await replayTraffic(sides, parts);
    return automations
      .filter(({ before, after }) => before > after)
      .map(({ name, before, after }) => ({ name, dropped: before - after, started: before }));
  } catch (error) {
    log.warn(
      { error: errorMessage(error) },
      "deliveries could not be replayed to find what an upgrade drops",
    );
    return [];
  }
}

function hasFormerTrigger({ enabled, triggers }: Automation): boolean {
  return enabled && triggers.some((trigger) => trigger.provider === "github" && isFormer(trigger));
}
