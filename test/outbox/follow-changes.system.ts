import { expect, test } from "vitest";
import { ALWAYS_LEADER } from "../../src/concurrency/rounds.ts";
import { StoreUnavailable } from "../../src/errors/error.ts";
import { newUuid } from "../../src/id.ts";
import { silentLog } from "../../src/log.ts";
import { followChanges } from "../../src/messages/start-outbox.ts";
import { onFinished } from "../given/cleanup.ts";
import { anEvent, anOutbox } from "../given/factory.ts";
import { waitFor } from "../given/server.ts";
import { AT, aRun } from "../given/store.ts";

test("a change of which no event can be made is left out, and those around it are told once", async () => {
  const { outbound, changes, runs } = await anOutbox();
  const first = (await changes.findRange()).last;
  let unavailable = 2;
  const rounds = followChanges({
    outbox: outbound,
    leadership: ALWAYS_LEADER,
    catchUp: async () => {},
    isWanted: () => true,
    startReading: async () => ({
      async read(after, limit) {
        if (unavailable > 0) {
          unavailable -= 1;
          throw new StoreUnavailable("it starts again");
        }
        const found = await changes.listAfter(after, limit);
        const messages = found.map(({ seq }) => {
          if (seq === first + 3) throw new Error("the event cannot be made");
          return anEvent({ id: newUuid(), cause: `change-${seq - first}` });
        });
        return { upTo: found.at(-1)?.seq ?? after, isNews: messages.length > 0, messages };
      },
    }),
    nextCommit: (ms, signal) =>
      new Promise((resolve) => {
        setTimeout(resolve, Math.min(ms, 10));
        signal.addEventListener("abort", () => resolve());
      }),
    onWaiting: () => {},
    onDropped: () => {},
    page: 100,
    about: "outbound events",
    log: silentLog,
    now: () => new Date(AT),
  });
  onFinished(rounds.stop);
  await waitFor(async () => (await outbound.findProgress()).isActive || undefined);
  for (let n = 0; n < 6; n += 1) await runs.create(aRun(), AT);
  const told = await waitFor(async () => {
    const heads = await outbound.list({ limit: 20 });
    return heads.length >= 5 ? heads : undefined;
  });
  const { last } = await changes.findRange();
  expect(last - first).toBe(6);
  expect(told).toHaveLength(5);
});
