import { wakeable } from "../concurrency/rounds.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import { DAY_MS, MINUTE_MS } from "../time/duration.ts";
import type { DroppedByFactory, DroppedHour, DroppedStore, LoggedWebhook } from "./delivery.ts";
import { Refusal } from "./refusal.ts";
import type { IngressWebhook } from "./webhook-table.ts";

/** Why a delivery was refused without a record: a budget of its webhook was used up, or its address is blocked. */
export type DropReason = "over_budget" | "blocked";

/** Counts what was refused without a record, for each webhook and hour. */
export interface DroppedDeliveries {
  /** Counts a refusal if it is one of those. */
  count(webhook: IngressWebhook, error: unknown): void;
  /** The hours of the last day in which something was dropped, oldest first. */
  of(webhook: LoggedWebhook): Promise<DroppedHour[]>;
  /** What all webhooks of each factory dropped in the last 31 days, by the hour, in no order. */
  ofFactories(): Promise<DroppedByFactory[]>;
  /** Stores what was counted. */
  stop(): Promise<void>;
}

export interface DroppedDeps {
  store: DroppedStore;
  /** Hears of each. */
  onDropped(webhook: IngressWebhook, reason: DropReason): void;
  log: Log;
  now: () => Date;
}

/** Counts by the hour. */
type Hours = Map<string, DroppedHour>;

/** What was stored: of webhooks for a day, by their keys, and of factories for longer, by their uids. */
interface Stored {
  webhooks: Map<string, Hours>;
  factories: Map<string, Hours>;
}

/** A chart of a month shows them. */
const KEPT_MS = 31 * DAY_MS;

/**
 * Whoever floods a webhook costs a number in memory, not a write: counts are stored once a minute, and a crash loses those
 * of the last minute. The counts in the store are replaced, so that one that was stored twice is not counted twice.
 */
export function countDropped({ store, onDropped, log, now }: DroppedDeps): DroppedDeliveries {
  const hourOf = (time: number) => `${new Date(time).toISOString().slice(0, 13)}:00:00.000Z`;
  const firstHour = () => hourOf(now().getTime() - DAY_MS);
  const firstKept = () => hourOf(now().getTime() - KEPT_MS);
  const warnings = new Map<string, { last: number; overBudget: number; blocked: number }>();
  /** Counted since the last time they were stored. */
  let fresh = new Map<string, { webhook: LoggedWebhook; hours: Hours }>();
  /** Left over where storing failed. */
  const unsaved = new Map<string, LoggedWebhook & DroppedHour>();
  let loading: Promise<Stored> | undefined;

  /** What was stored until now. A server is the only one that writes it. */
  const stored = () => {
    loading ??= load(store, firstHour(), firstKept()).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  async function save(): Promise<void> {
    const all = await stored();
    const saved = fresh;
    if (saved.size === 0 && unsaved.size === 0) return;
    fresh = new Map();
    for (const [key, { webhook, hours }] of saved) {
      const sums = hoursIn(all.webhooks, key);
      for (const each of hours.values()) {
        unsaved.set(`${key} ${each.hour}`, { ...webhook, ...add(sums, each) });
        add(hoursIn(all.factories, webhook.factoryUid), each);
      }
    }
    forget(all.webhooks, firstHour());
    forget(all.factories, firstKept());
    await store.saveDropped([...unsaved.values()], firstKept());
    unsaved.clear();
  }

  const saving = wakeable({
    async round() {
      await save();
      return MINUTE_MS;
    },
    onError(error) {
      log.warn({ error: errorMessage(error) }, "the counts of dropped deliveries could not be stored");
      return MINUTE_MS;
    },
  });
  saving.wake();

  function warn({ uid, name, factoryUid }: IngressWebhook, reason: DropReason): void {
    const key = keyOf({ uid, factoryUid });
    const entry = warnings.get(key) ?? { last: Number.NEGATIVE_INFINITY, overBudget: 0, blocked: 0 };
    warnings.set(key, entry);
    entry[reason === "blocked" ? "blocked" : "overBudget"] += 1;
    if (performance.now() - entry.last < MINUTE_MS) return;
    const { overBudget, blocked } = entry;
    warnings.set(key, { last: performance.now(), overBudget: 0, blocked: 0 });
    const counts = { over_budget: overBudget, blocked };
    log.warn({ webhook: name, uid, ...counts }, "deliveries were refused without a record");
  }

  return {
    count(webhook, error) {
      const reason = dropReason(error);
      if (!reason) return;
      const { uid, factoryUid } = webhook;
      const key = keyOf(webhook);
      const entry = fresh.get(key) ?? { webhook: { uid, factoryUid }, hours: new Map() };
      fresh.set(key, entry);
      const isBlocked = reason === "blocked";
      const one = { overBudget: isBlocked ? 0 : 1, blocked: isBlocked ? 1 : 0 };
      add(entry.hours, { hour: hourOf(now().getTime()), ...one });
      onDropped(webhook, reason);
      warn(webhook, reason);
    },
    async of(webhook) {
      const key = keyOf(webhook);
      const sums: Hours = new Map();
      for (const each of (await stored()).webhooks.get(key)?.values() ?? []) add(sums, each);
      for (const each of fresh.get(key)?.hours.values() ?? []) add(sums, each);
      const since = firstHour();
      return [...sums.values()]
        .filter(({ hour }) => hour >= since)
        .sort((a, b) => (a.hour < b.hour ? -1 : 1));
    },
    async ofFactories() {
      const sums = new Map<string, Hours>();
      for (const [uid, hours] of (await stored()).factories) {
        for (const each of hours.values()) add(hoursIn(sums, uid), each);
      }
      for (const { webhook, hours } of fresh.values()) {
        for (const each of hours.values()) add(hoursIn(sums, webhook.factoryUid), each);
      }
      return [...sums].flatMap(([factoryUid, hours]) =>
        [...hours.values()].map((hour) => ({ factoryUid, ...hour })),
      );
    },
    async stop() {
      await saving.stop();
      await save().catch((error) =>
        log.warn({ error: errorMessage(error) }, "the counts of dropped deliveries could not be stored"),
      );
    },
  };
}

function dropReason(error: unknown): DropReason | undefined {
  if (!(error instanceof Refusal)) return undefined;
  if (error.reason === "failure_budget") return "blocked";
  return error.reason === "delivery_budget" || error.reason === "refusal_budget" ? "over_budget" : undefined;
}

const keyOf = ({ factoryUid, uid }: LoggedWebhook) => `${factoryUid} ${uid}`;

async function load(store: DroppedStore, firstHour: string, firstKept: string): Promise<Stored> {
  const all: Stored = { webhooks: new Map(), factories: new Map() };
  for (const { factoryUid, uid, ...each } of await store.listDropped(firstHour)) {
    add(hoursIn(all.webhooks, keyOf({ factoryUid, uid })), each);
  }
  for (const { factoryUid, ...each } of await store.listDroppedByFactory(firstKept)) {
    add(hoursIn(all.factories, factoryUid), each);
  }
  return all;
}

function forget(counts: Map<string, Hours>, before: string): void {
  for (const hours of counts.values()) {
    for (const hour of hours.keys()) if (hour < before) hours.delete(hour);
  }
}

function hoursIn(all: Map<string, Hours>, key: string): Hours {
  const hours: Hours = all.get(key) ?? new Map();
  all.set(key, hours);
  return hours;
}

/** @returns the sum of the hour */
function add(hours: Hours, { hour, overBudget, blocked }: DroppedHour): DroppedHour {
  const before = hours.get(hour);
  const sum = {
    hour,
    overBudget: (before?.overBudget ?? 0) + overBudget,
    blocked: (before?.blocked ?? 0) + blocked,
  };
  hours.set(hour, sum);
  return sum;
}
