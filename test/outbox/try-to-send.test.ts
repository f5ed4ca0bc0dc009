import { expect, test } from "vitest";
import { tryToSend } from "../../src/messages/send.ts";

const AT = "2026-11-28T12:00:00.000Z";

test.each([
  ["0", 1_600, 2_400],
  ["Sat, 28 Nov 2020 12:00:00 GMT", 1_600, 2_400],
  // It is not valid, so the second wait is of 4 seconds, but for a fifth.
  ["-5", 3_200, 4_800],
])(
  "a message waits for its third attempt, also when the receiver asks for no wait with Retry-After: %s",
  async (retryAfter, least, most) => {
    const outcome = await tryToSend(async () => ({ status: 503, retryAfter }), {
      message: { attempts: 1, createdAt: AT, requestedAt: null },
      fingerprint: "f1",
      failures: 1,
      now: () => new Date(AT),
    });
    if (outcome.state !== "waiting") expect.fail(`it is ${outcome.state}`);
    const waits = Date.parse(outcome.nextAttemptAt) - Date.parse(AT);
    expect(waits).toBeGreaterThanOrEqual(least);
    expect(waits).toBeLessThanOrEqual(most);
  },
);
