import { AFTER_FAILURE_MS, type Leadership, leaderRounds, type Wakeable } from "../concurrency/rounds.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { AttemptOutcome, Message, Outbox } from "./outbox.ts";
import { GIVEN_UP, GIVEN_UP_AFTER_MS } from "./send.ts";
import type { Target } from "./target.ts";

export interface SenderDeps<To extends Target, Event extends string, Content> {
  outbox: Pick<Outbox<Event, Content>, "drop" | "expire" | "findNext" | "reopen" | "saveAttempt">;
  leadership: Leadership;
  find(target: string): To | undefined;
  /** Whether the factory of a target is on record, and no source has it. */
  isResting(target: string): boolean;
  /** One attempt, in its turn among those of all targets. */
  attempt(target: To, message: Message<Event, Content>, failures: number): Promise<AttemptOutcome>;
  /** Hears of attempts, and of messages that are dropped because their target is gone. */
  onEnded(outcome: AttemptOutcome["state"] | "dropped", count?: number): void;
  /** Nothing waits for a target that is gone, so it needs no sender; this one does nothing more. */
  onGone(): void;
  /** How often the secret of a target was set since the start. */
  secretsSetFor(target: string): number;
  isStopping(): boolean;
  /** What a message is called in the log, as `notification`. */
  noun: string;
  log: Log;
  now(): Date;
}

const DROPPED_AT_A_TIME = 100;
/** Servers take turns in leading, and their clocks may differ by as much. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Sends what waits for one target, one after the other; what waits for others neither waits for it nor passes it. */
export function createTargetSender<To extends Target, Event extends string, Content>(
  id: string,
  deps: SenderDeps<To, Event, Content>,
): Wakeable {
  const { outbox, leadership, find, isResting, attempt, onEnded, onGone, isStopping, noun, log, now } = deps;

  /** Gives up at once what has waited for too long: each of thousands would be one more request. */
  async function expire(error: string): Promise<void> {
    const at = now();
    const before = new Date(at.getTime() - GIVEN_UP_AFTER_MS).toISOString();
    const expired = await outbox.expire(id, before, { error, at: at.toISOString() });
    if (expired > 0) onEnded("failed", expired);
  }

  /** @returns whether to go on: not at the end of the server */
  async function sendOnce(target: To, message: Message<Event, Content>, failures: number): Promise<boolean> {
    const secretsSet = deps.secretsSetFor(id);
    const outcome = await attempt(target, message, failures);
    if (outcome.state !== "sent") {
      // It counts as not tried: a receiver that has got it knows its id.
      if (isStopping()) return false;
      // Nor does it say anything of the receiver that there is by now, or of how requests to it are signed.
      const isOther = find(id)?.fingerprint !== target.fingerprint || deps.secretsSetFor(id) !== secretsSet;
      if (isOther) return true;
    }
    await outbox.saveAttempt(message.id, outcome, now().toISOString());
    onEnded(outcome.state);
    const isGivenUp = outcome.state === "failed" && "restsUntil" in outcome;
    if (isGivenUp && outcome.restsUntil !== null) await expire(outcome.error);
    const about = { id: message.id, target: target.name, event: message.event };
    if (outcome.state === "sent") log.debug(about, `${noun} sent`);
    else log.warn({ ...about, error: outcome.error }, `${noun} not sent`);
    return true;
  }

  return leaderRounds(leadership, {
    async round() {
      const target = find(id);
      if (!target && !isResting(id)) {
        const dropped = await outbox.drop(id, now().toISOString(), DROPPED_AT_A_TIME);
        if (dropped > 0) onEnded("dropped", dropped);
        if (dropped === DROPPED_AT_A_TIME) return 0;
        onGone();
        return undefined;
      }
      if (!target?.isEnabled) {
        await expire(`${GIVEN_UP}: the target is disabled, or its factory is not loaded`);
        return undefined;
      }
      const found = await outbox.findNext(id, target.isOrdered);
      if (!found) return undefined;
      const { message: next, failures, failedAs, failedAt } = found;
      const leadsElsewhere = failedAs !== null && failedAs !== target.fingerprint;
      // What waits would wait for as long again.
      const isClockSetBack = failedAt !== null && Date.parse(failedAt) > now().getTime() + MAX_CLOCK_SKEW_MS;
      if (leadsElsewhere || isClockSetBack) {
        await outbox.reopen(id, now().toISOString());
        return 0;
      }
      // Where nothing has failed, only a clock that was set back can make anything wait.
      const isUntried = next.attempts === 0 && failures === 0;
      const wait = Date.parse(next.nextAttemptAt ?? "") - now().getTime();
      if (wait > 0 && !isUntried) return wait;
      return (await sendOnce(target, next, failures)) ? 0 : undefined;
    },
    onError(error) {
      log.warn({ target: id, error: errorMessage(error) }, `${noun}s could not be sent; retrying`);
      return AFTER_FAILURE_MS;
    },
  });
}
