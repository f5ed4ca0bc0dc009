import { describe, expect, test } from "vitest";
import { endIn, limitOfAnswer, limitOfText } from "../../../src/executor/output/provider-limits.ts";

const NOW = new Date("2026-11-30T12:00:00.000Z");
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString();

describe("what programs print", () => {
  test.each([
    ["Claude AI usage limit reached|1796061600", "limit", "2026-11-30T18:00:00.000Z"],
    ["You've hit your limit · resets 3:30am (Asia/Calcutta)", "limit", "2026-11-30T22:00:00.000Z"],
    ["You've hit your session limit · resets 5:10pm (Europe/Paris)", "limit", "2026-11-30T16:10:00.000Z"],
    [
      "Claude usage limit reached. Your limit will reset at 3pm (America/Bogota).",
      "limit",
      "2026-11-30T20:00:00.000Z",
    ],
    ["Weekly limit reached ∙ resets Dec 6, 3pm (UTC)", "limit", "2026-12-06T15:00:00.000Z"],
    ["5-hour limit reached ∙ resets 11:50am (UTC)", "limit", undefined],
    ["The model returned HTTP 529 (overloaded).", "unavailable", undefined],
    ['API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', "unavailable", undefined],
    ["The model returned no answer.", "unavailable", undefined],
    [
      "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 2 days 17 hours 14 minutes.",
      "limit",
      inSeconds(((2 * 24 + 17) * 60 + 14) * 60),
    ],
    [
      "You've hit your usage limit. Try again at Dec 1st, 2026 3:45 PM (UTC).",
      "limit",
      "2026-12-01T15:45:00.000Z",
    ],
    [
      "stream disconnected before completion: Rate limit reached for gpt-5 on tokens per min (TPM). Please try again in 11.054s.",
      "limit",
      inSeconds(11.054),
    ],
    ["exceeded retry limit, last status: 429 Too Many Requests", "limit", undefined],
    ["unexpected status 503 Service Unavailable", "unavailable", undefined],
    ["Selected model is at capacity. Please try a different model.", "unavailable", undefined],
    [
      "You have exhausted your capacity on this model. Your quota will reset after 2h30m12s.",
      "limit",
      inSeconds(9_012),
    ],
    ['{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"34s"}]}', "limit", inSeconds(34)],
    [
      "You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_requests. Please retry in 26.5s.",
      "limit",
      inSeconds(26.5),
    ],
    ["The model is overloaded. Please try again later.", "unavailable", undefined],
    ["Too Many Requests", "limit", undefined],
    ["read ECONNRESET", "unavailable", undefined],
  ])("%s", (text, kind, until) => {
    expect(limitOfText(text, NOW)).toMatchObject({ kind, seenBy: "output" });
    const limit = limitOfText(text, NOW);
    expect(typeof limit === "object" ? limit.until : undefined).toBe(until);
  });

  test.each([
    "prompt is too long: 210000 tokens > 200000 maximum",
    "Your input exceeds the context window of this model.",
    "Credit balance is too low",
    "You exceeded your current quota, please check your plan and billing details.",
    '{"error":{"code":"insufficient_quota"}}',
    "unexpected status 401 Unauthorized",
    "The model rejected the key: HTTP 401.",
    "API key not valid. Please pass a valid API key.",
  ])("is no limit: %s", (text) => {
    expect(limitOfText(text, NOW)).toBe("other");
  });

  test("says nothing of other failures", () => {
    expect(limitOfText("3 tests failed in 5 files", NOW)).toBeUndefined();
  });
});

test("a zone that nobody knows and a time without a unit are no ends", () => {
  expect(endIn("resets 3pm (Atlantis/Capital)", NOW)).toBeUndefined();
  expect(endIn("try again in 5", NOW)).toBeUndefined();
});

describe("what services answer", () => {
  const answer = (status: number, headers = {}, body = "") => limitOfAnswer({ status, headers, body }, NOW);

  test.each([
    [429, { "retry-after": "1800" }, "limit", inSeconds(1_800)],
    [429, { "retry-after": "Mon, 30 Nov 2026 13:00:00 GMT" }, "limit", "2026-11-30T13:00:00.000Z"],
    [429, { "retry-after-ms": "2500" }, "limit", inSeconds(2.5)],
    [
      429,
      {
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-11-30T12:05:00Z",
        "anthropic-ratelimit-tokens-remaining": "90000",
        "anthropic-ratelimit-tokens-reset": "2026-11-30T12:30:00Z",
      },
      "limit",
      "2026-11-30T12:05:00.000Z",
    ],
    [
      429,
      { "anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": "1796061600" },
      "limit",
      "2026-11-30T18:00:00.000Z",
    ],
    [
      429,
      {
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "6m0s",
        "x-ratelimit-reset-requests": "1s",
      },
      "limit",
      inSeconds(360),
    ],
    [429, {}, "limit", undefined],
    [529, {}, "unavailable", undefined],
    [503, { "retry-after": "20" }, "unavailable", inSeconds(20)],
  ])("%i with %o", (status, headers, kind, until) => {
    expect(answer(status, headers)).toEqual({ kind, ...(until === undefined ? {} : { until }) });
  });

  test("the body of an answer says when a limit ends", () => {
    const body = '{"error":{"type":"usage_limit_reached","resets_in_seconds":13872}}';
    expect(answer(429, {}, body)).toEqual({ kind: "limit", until: inSeconds(13_872) });
  });

  test.each([
    [429, '{"error":{"code":"insufficient_quota"}}'],
    [400, '{"error":{"message":"prompt is too long"}}'],
    [401, ""],
    [403, ""],
    [200, ""],
  ])("is no limit: %i %s", (status, body) => {
    expect(answer(status, {}, body)).toBeUndefined();
  });
});
