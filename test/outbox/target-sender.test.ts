import { describe, expect, test } from "vitest";
import { ALWAYS_LEADER } from "../../src/concurrency/rounds.ts";
import { silentLog } from "../../src/log.ts";
import type { AttemptOutcome, Message } from "../../src/messages/outbox.ts";
import type { Target } from "../../src/messages/target.ts";
import { createTargetSender } from "../../src/messages/target-sender.ts";
import { DAY_MS, HOUR_MS } from "../../src/time/duration.ts";
import { onFinished } from "../given/cleanup.ts";
import { anEvent, anOutbox } from "../given/factory.ts";
import { waitFor } from "../given/server.ts";
import { AT } from "../given/store.ts";

const TARGET: Target = {
  id: "settings.ops",
  name: "ops",
  kind: "webhook",
  owner: null,
  url: "https://ops.test/",
  to: [],
  events: [],
  takes: () => true,
  secret: undefined,
  fingerprint: "f1",
  isEnabled: true,
  isOrdered: false,
};
const SENT: AttemptOutcome = { state: "sent", note: null };

type Attempt = (message: Message<string, unknown>, target: Target) => Promise<AttemptOutcome>;

/** A sender to one target, whose attempts end as the test says, and a clock that the test sets. */
async function aSender(attempt: Attempt) {
  const store = await anOutbox();
  const given = { target: TARGET, now: Date.parse(AT), secretsSet: 0 };
  const attempted: string[] = [];
  const sender = createTargetSender<Target, string, unknown>(TARGET.id, {
    outbox: store.outbound,
    leadership: ALWAYS_LEADER,
    find: () => given.target,
    isResting: () => false,
    async attempt(target, message) {
      attempted.push(message.id);
      return attempt(message, target);
    },
    onEnded() {},
    onGone() {},
    secretsSetFor: () => given.secretsSet,
    isStopping: () => false,
    noun: "event",
    log: silentLog,
    now: () => new Date(given.now),
  });
  onFinished(() => sender.stop());
  const stateOf = async (id: string) => (await store.outbound.find(id))?.state;
  return { ...store, given, sender, attempted, stateOf };
}

const failed = (now: number, change: object = {}): AttemptOutcome => ({
  state: "waiting",
  error: "the receiver answered 503",
  nextAttemptAt: new Date(now + HOUR_MS).toISOString(),
  restsUntil: new Date(now + HOUR_MS).toISOString(),
  fingerprint: "f1",
  ...change,
});

describe("what waits for a target", () => {
  test("is sent to the receiver that there is by now, when the one before answers late that it wants no more", async () => {
    const { save, given, sender, attempted, stateOf } = await aSender(async (_, { fingerprint }) => {
      if (fingerprint === "f2") return SENT;
      given.target = { ...TARGET, fingerprint: "f2" };
      return { state: "failed", error: "the receiver answered 410 Gone", gone: "f1" };
    });
    const [first, second] = [anEvent(), anEvent()];
    await save([first, second]);
    sender.wake();
    await waitFor(async () => (await stateOf(second.id)) === "sent");
    expect(attempted).toEqual([first.id, first.id, second.id]);
    expect(await stateOf(first.id)).toBe("sent");
  });

  test("is sent at once when its secret was set while an attempt with the one before went on", async () => {
    const { save, given, sender, attempted, stateOf } = await aSender(async () => {
      given.secretsSet += 1;
      return given.secretsSet > 1 ? SENT : failed(given.now);
    });
    const event = anEvent();
    await save([event]);
    sender.wake();
    // The second attempt is of a set secret, too; it has succeeded, so it counts.
    await waitFor(async () => (await stateOf(event.id)) === "sent");
    expect(attempted).toHaveLength(2);
  });

  test("for more than 3 days is given up by the first attempt that fails, and not by a request each", async () => {
    const { save, given, sender, attempted, outbound } = await aSender(async () => {
      const { error, ...ofTarget } = failed(given.now) as Extract<AttemptOutcome, { state: "waiting" }>;
      return { ...ofTarget, state: "failed", error: `given up after 3 days: ${error}` };
    });
    const old = new Date(given.now - 4 * DAY_MS).toISOString();
    const young = anEvent();
    await save([...Array.from({ length: 30 }, () => anEvent({ at: old })), young]);
    sender.wake();
    await waitFor(async () => (await outbound.findWaiting()) === 1);
    expect(attempted).toHaveLength(1);
    const givenUp = await outbound.list({ limit: 50, states: ["failed"] });
    expect(new Set(givenUp.map(({ lastError }) => lastError))).toEqual(
      new Set(["given up after 3 days: the receiver answered 503"]),
    );
    // The receiver rests: the one that is left is not tried either.
    expect((await outbound.findNext(TARGET.id, false))?.message).toMatchObject({
      id: young.id,
      nextAttemptAt: new Date(given.now + HOUR_MS).toISOString(),
    });
  });

  test("for a reason of its own is sent at once when the clock was set back", async () => {
    let refused: string | undefined;
    const { save, given, sender, stateOf } = await aSender(async ({ id }) => {
      if (refused !== undefined) return SENT;
      refused = id;
      return failed(given.now, { restsUntil: null });
    });
    const [own, other] = [anEvent(), anEvent()];
    await save([own, other]);
    sender.wake();
    await waitFor(async () => (await stateOf(other.id)) === "sent");
    expect(await stateOf(own.id)).toBe("waiting");
    given.now -= 2 * HOUR_MS;
    sender.wake();
    await waitFor(async () => (await stateOf(own.id)) === "sent");
  });
});
