import { setImmediate as nextTick } from "node:timers/promises";
import { Overloaded } from "../../edge/read-body.ts";
import type { Log } from "../../log.ts";
import { createWorkThread, Overrun, type WorkThread } from "../../platform/work-thread.ts";
import type { NewRun } from "../../runs/run.ts";
import type { RunSource } from "../../runs/run-source.ts";
import type { Matchable } from "../../runs/start/automation-run.ts";
import { tooCostly } from "../refusal.ts";
import { runsOf, sourcesOf, type TriggerListener, type WrittenListener } from "./match.ts";

/** Finds out which runs deliveries start. */
export interface Matcher {
  /** @throws Refusal `service_unavailable` when that takes more than it may, or too many wait for it */
  match(listeners: readonly TriggerListener[], delivery: MatchedDelivery): Promise<NewRun[]>;
  stop(): Promise<void>;
}

/** A delivery with its body as it came, which can be sent to a thread. */
export interface MatchedDelivery extends Matchable {
  factoryUid: string;
}

/** A few milliseconds: as much as others can be kept waiting. Nearly every delivery takes a hundredth of it. */
const MAX_STEPS = 100_000;
/** What a delivery may take beyond that. Ten thousand automations that each look at all of the largest body take less. */
const CPU_MS = 30_000;
const THREAD = { memoryMb: 512, mostWaiting: 64, idleMs: 60_000 };
/** Of one factory, so many may wait: those of others have their turn. */
const MAX_OF_FACTORY = 8;

/**
 * Matches most deliveries at once. One that takes many steps is given up and matched on a thread of its own, so that senders of
 * other deliveries are answered meanwhile.
 */
export function createMatcher({ log }: { log: Log }): Matcher {
  const thread = createWorkThread("match", THREAD);
  const waiting = new Map<string, number>();

  async function onThread(
    listeners: readonly TriggerListener[],
    delivery: MatchedDelivery,
  ): Promise<Sources> {
    const { factoryUid } = delivery;
    const others = waiting.get(factoryUid) ?? 0;
    if (others >= MAX_OF_FACTORY) throw new Overloaded();
    waiting.set(factoryUid, others + 1);
    try {
      return await sourcesFromThread(thread, listeners, delivery);
    } catch (error) {
      if (!(error instanceof Overrun)) throw error;
      const { webhookUid, webhookName } = delivery;
      log.warn(
        { webhook: webhookName, webhook_uid: webhookUid },
        "a delivery was refused: matching it takes too long",
      );
      throw tooCostly();
    } finally {
      const left = (waiting.get(factoryUid) ?? 1) - 1;
      if (left === 0) waiting.delete(factoryUid);
      else waiting.set(factoryUid, left);
    }
  }

  return {
    async match(listeners, delivery) {
      const sources = sourcesWithin(MAX_STEPS, listeners, delivery);
      if (sources) return runsOf(listeners, sources, delivery);
      const found = await onThread(listeners, delivery);
      // Deliveries that were sent meanwhile come first.
      await nextTick();
      return runsOf(listeners, found, delivery);
    },
    stop: thread.stop,
  };
}

/** Of each listener, what its run comes from, or that it starts none. */
type Sources = readonly (RunSource | null)[];

class TooManySteps extends Error {}

function sourcesWithin(
  most: number,
  listeners: readonly TriggerListener[],
  delivery: Matchable,
): Sources | undefined {
  let left = most;
  try {
    return sourcesOf(listeners, delivery, (steps) => {
      left -= steps;
      if (left < 0) throw new TooManySteps();
    });
  } catch (error) {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}

/** The thread compiles listeners once. They are another list when another definition comes into force. */
const numbers = new WeakMap<readonly TriggerListener[], number>();
let lastNumber = 0;

function numberOf(listeners: readonly TriggerListener[]): number {
  const known = numbers.get(listeners);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(listeners, lastNumber);
  return lastNumber;
}

function sourcesFromThread(
  thread: WorkThread,
  listeners: readonly TriggerListener[],
  delivery: MatchedDelivery,
): Promise<Sources> {
  const { event, authors, bytes } = delivery;
  const message: ToMatch = { listeners: numberOf(listeners), event, authors, bytes: new Uint8Array(bytes) };
  return thread.run({ cpuMs: CPU_MS }, async (ask) => {
    const answer = (await ask(message)) as FromMatch;
    if (!("isUnknown" in answer)) return answer.sources;
    const written = listeners.map((listener) => listener.written);
    const second = (await ask({ ...message, written } satisfies ToMatch)) as FromMatch;
    if ("isUnknown" in second) throw new Error("the thread received an unknown message");
    return second.sources;
  });
}

/** What the thread is asked: which of the listeners of a webhook a delivery starts. */
export interface ToMatch {
  /** The listeners, by a number that stands for them as long as they are the same. */
  listeners: number;
  /** They themselves, for a thread that does not know them yet. */
  written?: WrittenListener[];
  event: string | null;
  authors: readonly string[];
  bytes: Uint8Array;
}

export type FromMatch = { isUnknown: true } | { sources: (RunSource | null)[] };
