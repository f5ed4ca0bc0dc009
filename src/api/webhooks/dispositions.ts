import type { Models } from "../../client/typed-paths.ts";
import type { EventProviderName } from "../../definitions/definition.ts";
import { EVENT_PROVIDERS } from "../../definitions/events/event-provider.ts";
import { missingKeyFields } from "../../definitions/key-template.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import { happeningKey } from "../../ingress/identify.ts";
import type { Disposition } from "../../runs/rules/run-key.ts";
import type { RunStore } from "../../runs/run-store.ts";

/** What a delivery did for an automation. */
export interface DeliveryDispositions {
  /** By the uid of the automation. */
  dispositions: ReadonlyMap<string | null, Models["Disposition"]>;
  /** Why a run was not started because of a budget, by the uid of the automation. */
  skipped: ReadonlyMap<string | null, { skipped: string }>;
  /** The uids of automations for whose key the payload has no value. */
  lacksKey: ReadonlySet<string | null>;
}

/** Finds out what became of a delivery when it was accepted. */
export async function findDispositions(
  deliveryId: string,
  runs: Pick<RunStore, "listIdsByDelivery" | "listDispositions" | "find">,
): Promise<DeliveryDispositions> {
  const dispositions = new Map<string | null, Models["Disposition"]>();
  const skipped = new Map<string | null, { skipped: string }>();
  const lacksKey = new Set<string | null>();
  for (const id of (await runs.listIdsByDelivery([deliveryId]))[deliveryId] ?? []) {
    const run = await runs.find(id);
    if (!run || run.rerunOf !== null) continue;
    dispositions.set(run.automationUid, {
      ...{ kind: "started", run_id: id, key: null, replaced_run_ids: [] },
      reason: "The automation has no concurrency key: each delivery starts a run.",
    });
    if (run.startedAt === null && run.statusMessage?.error_code === "budget_exceeded")
      skipped.set(run.automationUid, { skipped: run.statusMessage.message });
  }
  for (const each of await runs.listDispositions(deliveryId)) {
    dispositions.set(each.automationUid, dispositionOf(each));
    if (each.lacksKey) lacksKey.add(each.automationUid);
  }
  return { dispositions, skipped, lacksKey };
}

/** An automation that a delivery fires, at the webhook that it came to. */
interface Fired {
  automationUid: string;
  provider: EventProviderName | undefined;
  payload: unknown;
}

/** Of a delivery that started no run because another one had told of the same before: the run of that one. */
export async function findEarlierRun(
  deliveryId: string,
  { automationUid, provider, payload }: Fired,
  { deliveries, runs }: { deliveries: Pick<DeliveryStore, "findFirst">; runs: EarlierRuns },
): Promise<Models["Disposition"] | undefined> {
  const happening = provider && EVENT_PROVIDERS[provider].happeningOf?.(payload);
  if (happening === undefined) return undefined;
  const first = await deliveries.findFirst(happeningKey(automationUid, happening));
  if (first === undefined || first === deliveryId) return undefined;
  for (const id of (await runs.listIdsByDelivery([first]))[first] ?? []) {
    const run = await runs.find(id);
    if (run?.automationUid !== automationUid || run.rerunOf !== null) continue;
    const reason = `The delivery ${first} is about the same message and came first: its run stands for both, and this delivery started none.`;
    return { kind: "joined", run_id: id, key: null, reason, replaced_run_ids: [] };
  }
  return undefined;
}

/** Why a delivery has no key: which of the fields that the key names now its payload lacks. */
export function lacksFields(
  disposition: Models["Disposition"],
  template: string | undefined,
  { provider, payload }: Pick<Fired, "provider" | "payload">,
): Models["Disposition"] {
  const missing = template === undefined ? [] : missingKeyFields(template, provider, payload);
  if (missing.length === 0) return disposition;
  const reason = `The payload has no value for ${missing.join(" and ")} of the concurrency key: the delivery started a run of its own.`;
  return { ...disposition, reason };
}

type EarlierRuns = Pick<RunStore, "listIdsByDelivery" | "find">;

function dispositionOf(given: Disposition): Models["Disposition"] {
  const isWaiting = given.kind === "started" && given.isHeld;
  return {
    kind: isWaiting ? "waiting" : given.kind,
    run_id: given.runId,
    key: given.key === "" ? null : given.key,
    reason: reasonOf(given, isWaiting),
    replaced_run_ids: given.replaced,
  };
}

function reasonOf(
  { kind, key, lacksKey, runId, replaced, waitedFor }: Disposition,
  isWaiting: boolean,
): string {
  if (lacksKey)
    return "The payload has no value for the concurrency key: the delivery started a run of its own.";
  const of = key === "" || key === null ? "of the automation" : `with the key ${key}`;
  switch (kind) {
    case "joined":
      return `A run ${of} was waiting: the delivery became part of it.`;
    case "replaced":
      return `${replaced.length === 1 ? "An earlier run" : `${replaced.length} earlier runs`} ${of} had not ended: the run ${runId} replaced ${replaced.length === 1 ? "it" : "them"}.`;
    case "continued":
      return `A run ${of} could be continued: the delivery became a message to it.`;
    case "started":
      if (isWaiting) return `The run waits for further deliveries, or for an earlier run ${of}.`;
      if (waitedFor === "key") return `The run had to wait for an earlier run ${of}.`;
      if (waitedFor === "window") return "The run had to wait for further deliveries.";
      return `There was no run ${of} for the delivery to join, replace or continue: it started one.`;
  }
}
