import { errorMessage, StoreUnavailable } from "../errors/error.ts";
import type { CallFailure, CallOutcome } from "./group-commit.ts";
import type { StoreCall } from "./store-call.ts";

export interface GatherOptions {
  /** Carries out a batch of calls. @returns their outcomes, in the order of the calls */
  send(calls: readonly StoreCall[]): Promise<CallOutcome[]>;
  /** Hears what has been carried out together, before those who asked do. */
  onCommit(calls: readonly StoreCall[]): void;
  /** Hears that the database could not be used just now. */
  onFailure(message: string): void;
}

/** Calls that wait for their turn. */
export interface GatheredCalls {
  carry(call: StoreCall): Promise<unknown>;
  /** Rejects every call that waits, and every one from now on. */
  end(reason: string): void;
  /** Lets what was asked for finish; calls from now on are rejected. */
  finished(): Promise<void>;
}

interface Waiting {
  call: StoreCall;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** One batch larger than this would keep its first callers waiting for its last. */
const MAX_CALLS_PER_BATCH = 512;
const CLOSING = "it is being closed";

/** Gathers the calls that come while one batch is carried out into the next one. */
export function gatherCalls({ send, onCommit, onFailure }: GatherOptions): GatheredCalls {
  const waiting: Waiting[] = [];
  let inFlight: Waiting[] = [];
  let ended: string | undefined;
  let onFinished: (() => void) | undefined;

  function sendNext(): void {
    if (inFlight.length > 0) return;
    if (waiting.length === 0) {
      onFinished?.();
      return;
    }
    inFlight = waiting.splice(0, MAX_CALLS_PER_BATCH);
    void send(inFlight.map(({ call }) => call)).then(answer, (error) => rejectAll(String(error)));
  }

  function answer(outcomes: readonly CallOutcome[]): void {
    const answered = inFlight;
    inFlight = [];
    sendNext();
    try {
      onCommit(answered.map(({ call }) => call));
    } catch (error) {
      // It is in the database: whoever asked for it hears of that, whatever becomes of those who follow.
      onFailure(`what was committed could not be announced: ${errorMessage(error)}`);
    }
    const failed = outcomes.find((outcome) => "failure" in outcome && outcome.failure.storeFailed);
    if (failed && "failure" in failed) onFailure(failed.failure.message);
    for (const [index, caller] of answered.entries()) settle(caller, outcomes[index]);
  }

  function rejectAll(reason: string): void {
    for (const caller of [...inFlight, ...waiting.splice(0)]) caller.reject(new StoreUnavailable(reason));
    inFlight = [];
    onFinished?.();
  }

  return {
    carry(call) {
      if (ended !== undefined) return Promise.reject(new StoreUnavailable(ended));
      return new Promise((resolve, reject) => {
        waiting.push({ call, resolve, reject });
        // Whoever calls in this same turn of the event loop shares the transaction.
        if (waiting.length === 1 && inFlight.length === 0) setImmediate(sendNext);
      });
    },
    end(reason) {
      ended ??= reason;
      rejectAll(reason);
    },
    async finished() {
      if (ended !== undefined && ended !== CLOSING) return;
      ended = CLOSING;
      await new Promise<void>((resolve) => {
        onFinished = resolve;
        sendNext();
      });
    },
  };
}

function settle(caller: Waiting, outcome: CallOutcome | undefined): void {
  if (!outcome) caller.reject(new Error("the store did not respond"));
  else if ("value" in outcome) caller.resolve(outcome.value);
  else caller.reject(asError(caller.call, outcome.failure));
}

function asError({ port, method }: StoreCall, { message, storeFailed }: CallFailure): Error {
  return storeFailed ? new StoreUnavailable(message) : new Error(`${port}.${method}: ${message}`);
}
