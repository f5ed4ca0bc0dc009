import { type FollowDeps as Deps, follow } from "../changes/follow.ts";
import { type CommitRounds, leaderRounds, type Wakeable } from "../concurrency/rounds.ts";
import { errorMessage, MillraceError, StoreUnavailable } from "../errors/error.ts";
import { makeUuidsAfter, newUuid } from "../id.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { type AttemptOutcome, type Followed, type Message, type Outbox, UNTRIED } from "./outbox.ts";
import { type AttemptDeps, attempt, type SentContent } from "./send.ts";
import { messageFor, ownerUidOf, SETTINGS, type Target, usesSecret } from "./target.ts";
import { createTargetSender, type SenderDeps } from "./target-sender.ts";

/** How an attempt ended; or that there was no room for some. */
export type MessageOutcome = AttemptOutcome["state"] | "dropped";

export interface OutboxDeps<
  To extends Target,
  Event extends string,
  Content extends SentContent,
  Written extends Followed<Event, Content>,
> extends AttemptDeps,
    Pick<FollowDeps<Written>, "leadership" | "catchUp" | "nextCommit" | "page" | "log" | "now"> {
  outbox: Outbox<Event, Content, Written>;
  factories: readonly Factory[];
  /** Every place that messages go to. */
  targetsOf(factories: readonly Factory[]): To[];
  startReading(targets: () => readonly To[]): Promise<ChangeReader<Written>>;
  /** What a message is called in the log, as `notification`. */
  noun: string;
  onEnded(outcome: MessageOutcome, count?: number): void;
}

/** An outbox that is filled and emptied. */
export interface RunningOutbox<To extends Target, Event extends string, Content> {
  targets(): readonly To[];
  /** The definitions in force have changed. */
  activated(factories: readonly Factory[]): void;
  /**
   * Sends a test at once, ahead of what waits.
   * @param content what it says, at the instant that it is given
   * @returns it, as the outbox has it afterwards
   */
  sendTest(target: To, content: (at: string) => Content): Promise<Message<Event, Content>>;
  /** Goes on with what waits for a target. */
  wake(target: string): void;
  /** A secret was set: what waits for the targets that use it is sent at once, also where earlier attempts failed. */
  secretChanged(name: string): Promise<void>;
  /** How many wait to be sent. */
  waiting(): Promise<number>;
  stop(): Promise<void>;
}

/** So many requests at a time: some receivers that do not answer keep no other from its turn. */
const MAX_AT_A_TIME = 64;
const BETWEEN_LOOKS_MS = 10_000;

/** Begins to follow the changes, and to send what waits from before the start. */
export function startOutbox<
  To extends Target,
  Event extends string,
  Content extends SentContent,
  Written extends Followed<Event, Content>,
>(deps: OutboxDeps<To, Event, Content, Written>): RunningOutbox<To, Event, Content> {
  const { outbox, leadership, noun, log, now, onEnded } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns = createTurns(MAX_AT_A_TIME);
  const senders = new Map<string, Wakeable>();
  const secretsSet = new Map<string, number>();
  // Those of definitions too: while nobody is to be told, the follower lets changes pass by.
  let targets = byId(deps.factories);
  let served = ownersOf(deps.factories);

  function byId(factories: readonly Factory[]): Map<string, To> {
    return new Map(deps.targetsOf(factories).map((target) => [target.id, target]));
  }

  const attemptInTurn = (target: To, message: Message<Event, Content>, failures: number) =>
    turns.take(target.owner?.uid ?? SETTINGS, () => attempt(target, message, failures, deps, signal));
  const senderDeps: Omit<SenderDeps<To, Event, Content>, "onGone"> = {
    outbox,
    find: (id) => targets.get(id),
    // A factory that no source of this start has may be back at the next one.
    isResting: (id) => !served.has(ownerUidOf(id) ?? SETTINGS),
    isStopping: () => signal.aborted,
    secretsSetFor: (id) => secretsSet.get(id) ?? 0,
    leadership,
    attempt: attemptInTurn,
    onEnded,
    noun,
    log,
    now,
  };

  function wake(id: string): void {
    if (signal.aborted) return;
    const sender = senders.get(id) ?? createTargetSender(id, { ...senderDeps, onGone: () => forget(id) });
    senders.set(id, sender);
    sender.wake();
  }

  /** One that was forgotten and went on, when this server leads again, would send beside its successor. */
  function forget(id: string): void {
    void senders.get(id)?.stop();
    senders.delete(id);
  }

  /** One that wanted no more, and is not what it was since, is a receiver like any other. */
  async function forgetOtherReceivers(): Promise<void> {
    for (const { target: id, gone } of await outbox.listGone()) {
      const target = targets.get(id);
      if (target && target.fingerprint !== gone) await outbox.reopen(id, now().toISOString());
    }
  }

  const follower = followChanges<Written>({
    ...deps,
    outbox: outbox as FollowDeps<Written>["outbox"],
    async startReading() {
      // Another process, or a clock that was ahead, may have made the ids that are there: those to come sort after them.
      makeUuidsAfter(await outbox.findNewestId());
      return deps.startReading(() => [...targets.values()]);
    },
    isWanted: () => [...targets.values()].some(({ isEnabled }) => isEnabled),
    onWaiting: (ids) => ids.forEach(wake),
    onDropped(count) {
      onEnded("dropped", count);
      log.warn({ count }, `${noun}s were dropped: too many are waiting for their target`);
    },
    about: `${noun}s`,
  });
  // What waits from before this server led, and what somebody had sent again through another one.
  const looks = leaderRounds(leadership, {
    async round() {
      await forgetOtherReceivers();
      for (const id of await outbox.listWaitingTargets()) wake(id);
      return BETWEEN_LOOKS_MS;
    },
    onError(error) {
      log.warn({ error: errorMessage(error) }, `${noun}s that wait could not be looked for; retrying`);
      return BETWEEN_LOOKS_MS;
    },
  });
  looks.wake();

  return {
    targets: () => [...targets.values()],
    activated(factories) {
      const before = targets;
      targets = byId(factories);
      served = ownersOf(factories);
      follower.wake();
      looks.wake();
      // What waits for one that is no more is dropped; what waited for one that has changed may be sent now.
      for (const [id, old] of before) if (!isSame(old, targets.get(id))) wake(id);
    },
    async sendTest(target, content) {
      const at = now().toISOString();
      const message = messageFor(target, {
        cause: `test:${newUuid()}`,
        factoryUid: target.owner?.uid ?? null,
        runId: null,
        event: "test" as Event,
        content: content(at),
        at,
      });
      const outcome = await attemptInTurn(target, { ...message, ...UNTRIED, createdAt: at }, 0);
      await outbox.record(message, outcome);
      onEnded(outcome.state === "sent" ? "sent" : "failed");
      if (outcome.state === "sent") wake(target.id);
      const stored = await outbox.find(message.id);
      if (!stored) throw new MillraceError("service_unavailable", "The test was not recorded.");
      return stored;
    },
    wake,
    async secretChanged(name) {
      const users = [...targets.values()].filter((target) => usesSecret(target, name));
      for (const { id } of users) {
        secretsSet.set(id, (secretsSet.get(id) ?? 0) + 1);
        await outbox.reopen(id, now().toISOString());
        wake(id);
      }
    },
    waiting: outbox.findWaiting,
    async stop() {
      stopping.abort();
      await looks.stop();
      await Promise.all([follower.stop(), ...[...senders.values()].map((sender) => sender.stop())]);
    },
  };
}

function ownersOf(factories: readonly Factory[]): ReadonlySet<string> {
  return new Set([SETTINGS, ...factories.map(({ record }) => record.uid)]);
}

function isSame(before: Target, after: Target | undefined): boolean {
  return (
    before.fingerprint === after?.fingerprint &&
    before.isEnabled === after.isEnabled &&
    before.isOrdered === after.isOrdered
  );
}

/** Lets so many pieces of work go on at a time. */
export interface Turns {
  /** @param of whose work it is: nobody waits only because others keep every turn */
  take<Outcome>(of: string, work: () => Promise<Outcome>): Promise<Outcome>;
}

interface Waiting {
  of: string;
  begin(): void;
}

/**
 * Those who have the fewest pieces going on come next, and of these the one who has waited longest. One who has none at
 * all does not wait: with as many others as there are turns, slow ones would hold up everybody.
 */
export function createTurns(most: number): Turns {
  const waiting: Waiting[] = [];
  const going = new Map<string, number>();
  let taken = 0;

  const goingOf = (of: string) => going.get(of) ?? 0;

  function begin(of: string): void {
    taken += 1;
    going.set(of, goingOf(of) + 1);
  }

  function end(of: string): void {
    taken -= 1;
    const left = goingOf(of) - 1;
    if (left > 0) going.set(of, left);
    else going.delete(of);
  }

  function letNextBegin(): void {
    let next = 0;
    for (const [index, { of }] of waiting.entries())
      if (goingOf(of) < goingOf(waiting[next]?.of ?? "")) next = index;
    const chosen = waiting[next];
    if (!chosen || (taken >= most && goingOf(chosen.of) > 0)) return;
    waiting.splice(next, 1);
    begin(chosen.of);
    chosen.begin();
  }

  return {
    async take(of, work) {
      if (taken < most || goingOf(of) === 0) begin(of);
      else await new Promise<void>((resolve) => waiting.push({ of, begin: resolve }));
      try {
        return await work();
      } finally {
        end(of);
        letNextBegin();
      }
    },
  };
}

/** What some changes lead to, beside how far they were read. */
export type Read<Written> = Omit<Written, "from" | "upTo" | "at"> & {
  upTo: number;
  /** Whether anything has to be written. */
  isNews: boolean;
  /** Whether changes are left over that were to be looked at: what they lead to would be too much at once. */
  isCut?: boolean;
};

/** Decides what changes lead to, in their order. What could not be written is read again, by another reader. */
export interface ChangeReader<Written> {
  /** Reads the next changes, of which at most so many are looked at. */
  read(after: number, limit: number): Promise<Read<Written>>;
}

export interface FollowDeps<Written extends Followed<string, unknown>> extends Deps {
  outbox: Outbox<string, unknown, Written>;
  /** Learns what was changed of the definitions, here or by another server. @returns when all is known that was committed before */
  catchUp(): Promise<void>;
  /** Whether there is anybody to tell anything. */
  isWanted(): boolean;
  startReading(): Promise<ChangeReader<Written>>;
  /** Something waits for these targets. */
  onWaiting(targets: readonly string[]): void;
  onDropped(count: number): void;
  /** So many changes are looked at together. */
  page: number;
  /** What is followed for, in the log. */
  about: string;
  now(): Date;
}

/** Fills an outbox with what the log of changes leads to. @returns what ends it */
export function followChanges<Written extends Followed<string, unknown>>(
  deps: FollowDeps<Written>,
): CommitRounds {
  const { outbox, catchUp, isWanted, startReading, page, about, log, now } = deps;
  let reader: ChangeReader<Written> | undefined;
  /** The newest change when there was no one to tell; nothing where that is not known. */
  let passed: number | undefined;

  /** A change of which nothing can be made holds up none of the others: what is read together is read one by one then. */
  async function readNext(after: number, most: number): Promise<Read<Written>> {
    const nothing = { isNews: false, isCut: true, messages: [] } as unknown as Read<Written>;
    for (const limit of [most, 1]) {
      reader ??= await startReading();
      try {
        const found = await reader.read(after, limit);
        return limit < most ? { ...found, isCut: true } : found;
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        reader = undefined;
        if (limit === 1)
          log.error(
            { seq: after + 1, error: errorMessage(error) },
            `${about} for a change could not be made; it is left out`,
          );
      }
    }
    return { ...nothing, upTo: after + 1 };
  }

  return follow(
    {
      page,
      failure: `${about} could not be decided on; retrying`,
      saveProgress: outbox.saveProgress,
      async prepare(position) {
        // Before the definitions: the targets of a change have to be known when it is read.
        const { isActive, newest } = await outbox.findProgress();
        await catchUp();
        if (!isWanted()) {
          if (isActive) await outbox.pass();
          passed = newest;
          return "caught up";
        }
        if (position) return { position, newest };
        // Much may have happened between the definition that has named the first target, and this round.
        const read = await outbox.follow(passed);
        passed = undefined;
        reader = await startReading();
        return { position: { read, written: read }, newest };
      },
      async handle(after, limit) {
        const { upTo, isNews, isCut = false, ...found } = await readNext(after, limit);
        if (!isNews) return { upTo, isCut };
        const write = async (from: number) => {
          const followed = { ...found, from, upTo, at: now().toISOString() } as unknown as Written;
          const dropped = await outbox.saveFollowed(followed);
          if (dropped > 0) deps.onDropped(dropped);
          deps.onWaiting([...new Set(followed.messages.map(({ target }) => target))]);
        };
        return { upTo, isCut, write };
      },
      leave() {
        passed = undefined;
      },
    },
    deps,
  );
}
