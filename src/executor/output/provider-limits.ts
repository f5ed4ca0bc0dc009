import type { IncomingHttpHeaders } from "node:http";
import type { ProviderLimit } from "../../runs/rules/provider-limit.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../time/duration.ts";
import { isTimeZone } from "../../time/instant.ts";

/** What a provider or its program says when it does not let a turn go on. */
interface Sign {
  pattern: RegExp;
  /** `other` is a failure that no waiting ends: it stays one. */
  kind: ProviderLimit["kind"] | "other";
  /** Where it is described, or where someone has met it. */
  source: string;
}

/** Whose own words these are. The first sign that a text has counts. */
export const SIGNS: Readonly<Record<string, readonly Sign[]>> = {
  "no limit": [
    {
      // With a time to wait it is a limit, which gemini calls by the same words.
      pattern: /insufficient_quota|billing_(?:not_active|hard_limit)|credit balance is too low/i,
      kind: "other",
      source: "https://platform.openai.com/docs/guides/error-codes and https://docs.claude.com/en/api/errors",
    },
    {
      pattern: /exceeded your current quota, please check your plan(?!.*(?:retry in|retryDelay|free_tier))/is,
      kind: "other",
      source: "https://platform.openai.com/docs/guides/error-codes",
    },
    {
      pattern:
        /context_length_exceeded|prompt is too long|maximum context length|input token count .{0,60}exceeds|context window/i,
      kind: "other",
      source:
        "https://docs.claude.com/en/docs/build-with-claude/context-windows and https://platform.openai.com/docs/guides/error-codes",
    },
    {
      pattern:
        /authentication_(?:error|failed)|invalid[_ ](?:x-)?api[_-]?key|api[_ ]key[_ ](?:not[_ ]valid|invalid)|permission_error|unexpected status 40[13]\b|rejected the key/i,
      kind: "other",
      source:
        "https://docs.claude.com/en/api/errors and https://ai.google.dev/gemini-api/docs/troubleshooting",
    },
  ],
  claude: [
    {
      pattern: /usage limit reached|hit your (?:[\w-]+ )?limit\b|(?:hour|weekly|session) limit reached/i,
      kind: "limit",
      source:
        "https://github.com/anthropics/claude-code/issues/2490, /11429 (`usage limit reached|EPOCH`), /31916 (`hit your limit · resets 3:30am (ZONE)`), /74079 (`session limit`)",
    },
    {
      pattern: /rate_limit(?:_error)?\b/i,
      kind: "limit",
      source:
        "https://docs.claude.com/en/api/errors and https://github.com/anthropics/claude-code/issues/15064",
    },
    {
      pattern: /overloaded(?:_error)?\b/i,
      kind: "unavailable",
      source: "https://docs.claude.com/en/api/errors (529)",
    },
  ],
  codex: [
    {
      pattern: /hit your usage limit|usage[_ ]limit[_ ](?:has been )?reached/i,
      kind: "limit",
      source:
        "https://github.com/openai/codex/issues/3124 (`try again in 2 days 17 hours 14 minutes`), /28208, /28089 (`try again at`), https://github.com/earendil-works/pi/issues/4172 (`resets_in_seconds`)",
    },
    {
      pattern: /rate[_ ]limit[_ ](?:reached|exceeded)/i,
      kind: "limit",
      source: "https://platform.openai.com/docs/guides/rate-limits",
    },
    {
      pattern: /model is at capacity|stream disconnected before completion/i,
      kind: "unavailable",
      source: "https://github.com/openai/codex (codex-rs/protocol/src/error.rs)",
    },
  ],
  gemini: [
    {
      pattern:
        /RESOURCE_EXHAUSTED|exhausted your (?:daily )?(?:capacity|quota)|quota will reset after|quota exceeded for/i,
      kind: "limit",
      source:
        "https://ai.google.dev/gemini-api/docs/troubleshooting and https://github.com/google-gemini/gemini-cli/issues/10925, /1848",
    },
    {
      pattern: /model is overloaded|"?status"?: "?UNAVAILABLE/,
      kind: "unavailable",
      source: "https://ai.google.dev/gemini-api/docs/troubleshooting (503)",
    },
  ],
  opencode: [
    {
      pattern: /too many requests|free usage exceeded/i,
      kind: "limit",
      source: "https://github.com/anomalyco/opencode/issues/40014, /47747",
    },
  ],
  "every program": [
    {
      pattern: /(?:\bHTTP|\bstatus(?:[_ ]?code)?|\berror)\W{0,4}429\b/i,
      kind: "limit",
      source: "RFC 6585 section 4, and https://github.com/openai/codex/issues/12776 (`last status: 429`)",
    },
    {
      pattern: /(?:\bHTTP|\bstatus(?:[_ ]?code)?|\berror)\W{0,4}(?:5(?:00|02|03|04|2\d))\b/i,
      kind: "unavailable",
      source: "RFC 9110 section 15.6, and https://docs.claude.com/en/api/errors (529)",
    },
    {
      pattern:
        /\b(?:ECONNRESET|ECONNREFUSED|ETIMEDOUT|EPIPE|EAI_AGAIN|UND_ERR_\w+)\b|socket hang up|connection (?:error|reset|closed|refused)|fetch failed|returned no answer/i,
      kind: "unavailable",
      source: "https://nodejs.org/api/errors.html#common-system-errors",
    },
  ],
};

const MAX_REASON = 300;
/** A hostile text must not be searched for long. */
const MAX_SEARCHED = 4_000;

/** What a failure of a program means: a limit, or nothing for one that waiting does not end. */
export function limitOfText(failure: string, now: Date): ProviderLimit | "other" | undefined {
  const text = failure.slice(0, MAX_SEARCHED);
  const sign = Object.values(SIGNS)
    .flat()
    .find(({ pattern }) => pattern.test(text));
  if (!sign) return undefined;
  if (sign.kind === "other") return "other";
  const until = endIn(text, now);
  const reason = text.replace(/\s+/g, " ").trim().slice(0, MAX_REASON);
  return {
    kind: sign.kind,
    ...(until === undefined ? {} : { until: until.toISOString() }),
    reason,
    seenBy: "output",
  };
}

/** The parts of an answer that show a limit. */
export interface LimitingAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The beginning of it. */
  body: string;
}

/** Statuses of services that do not answer as they should, and of what stands before them (529: Anthropic; 52x: Cloudflare). */
const UNAVAILABLE: ReadonlySet<number> = new Set([500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/** What an answer of a service means; nothing where it is no limit. */
export function limitOfAnswer(
  { status, headers, body }: LimitingAnswer,
  now: Date,
): Pick<ProviderLimit, "kind" | "until"> | undefined {
  const isLimit = status === 429;
  if (!isLimit && !UNAVAILABLE.has(status)) return undefined;
  if (isLimit && SIGNS["no limit"]?.some(({ pattern }) => pattern.test(body))) return undefined;
  const until = endOfHeaders(headers, now) ?? endIn(body, now);
  return {
    kind: isLimit ? "limit" : "unavailable",
    ...(until === undefined ? {} : { until: until.toISOString() }),
  };
}

/**
 * Headers that say when a service answers again: `retry-after` (RFC 9110 section 10.2.3), `retry-after-ms` (Azure OpenAI),
 * `anthropic-ratelimit-*-reset` (https://docs.claude.com/en/api/rate-limits) and `x-ratelimit-reset-*`
 * (https://platform.openai.com/docs/guides/rate-limits). Of the last two, those count of which nothing remains.
 */
function endOfHeaders(headers: IncomingHttpHeaders, now: Date): Date | undefined {
  const one = (name: string) => [headers[name]].flat()[0]?.trim();
  const ms = Number(one("retry-after-ms") ?? Number.NaN);
  if (ms > 0) return after(now, ms);
  const retry = one("retry-after");
  if (retry !== undefined) {
    const end = /^\d+(?:\.\d+)?$/.test(retry) ? after(now, Number(retry) * 1_000) : new Date(retry);
    if (isAfter(end, now)) return end;
  }
  const ends = Object.keys(headers).flatMap((name) => {
    const [, before = "", unit = ""] =
      /^(anthropic-ratelimit-|x-ratelimit-)(?:reset-)?(.*?)(?:-reset)?$/.exec(name) ?? [];
    if (before === "" || !name.includes("reset")) return [];
    const left = one(before === "x-ratelimit-" ? `${before}remaining-${unit}` : `${before}${unit}-remaining`);
    const isUsedUp = left === undefined ? one(`${before}${unit}-status`) === "rejected" : Number(left) <= 0;
    const end = instantOf(one(name) ?? "", now);
    return isUsedUp && end && isAfter(end, now) ? [end.getTime()] : [];
  });
  return ends.length === 0 ? undefined : new Date(Math.max(...ends));
}

/** Seconds since 1970, RFC 3339, or a duration such as `6m0s`. */
function instantOf(text: string, now: Date): Date | undefined {
  if (/^\d{10}(?:\.\d+)?$/.test(text)) return new Date(Number(text) * 1_000);
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return new Date(text);
  const ms = durationOf(text);
  return ms === undefined ? undefined : after(now, ms);
}

const UNITS: readonly [RegExp, number][] = [
  [/^(?:ms|millis)/i, 1],
  [/^mo/i, 30 * DAY_MS],
  [/^m/i, MINUTE_MS],
  [/^s/i, 1_000],
  [/^h/i, HOUR_MS],
  [/^d/i, DAY_MS],
  [/^w/i, 7 * DAY_MS],
];
const PART = /(\d+(?:\.\d+)?)\s*([a-z]+)/gi;
const DURATION = String.raw`(?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*(?:and\s+)?)+`;

/** Reads `1h2m3s`, `11.054s` or `2 days 17 hours 14 minutes`; nothing for a text without a unit. */
function durationOf(text: string): number | undefined {
  let ms = 0;
  let isFound = false;
  for (const [, count, unit = ""] of text.matchAll(PART)) {
    const known = UNITS.find(([pattern]) => pattern.test(unit));
    if (!known) continue;
    isFound = true;
    ms += Number(count) * known[1];
  }
  return isFound ? ms : undefined;
}

const EPOCH = /(?:limit reached\W{0,3}\||"?resets?_at"?\s*[:=]\s*"?)(\d{10})/i;
const SECONDS = /"?(?:resets_in_seconds|retry[-_]after)"?\s*[:=]\s*"?(\d+(?:\.\d+)?)\b(?!\s*[a-z])/i;
const DELAY = new RegExp(
  String.raw`(?:retryDelay"?\s*:\s*"|(?:try again|retry|resets?|available)(?: again)?\s+(?:in|after)\s+(?:about\s+)?)(${DURATION})`,
  "i",
);
const ISO =
  /(?:resets?|again|until|after)(?: at| on)?\W{0,3}(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))/i;
const CLOCK = new RegExp(
  String.raw`(?:resets?|try again)(?:\s+(?:at|on))?\s+` +
    String.raw`(?:(?:[a-z]{3,9},?\s+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4}),?\s+)?(?:at\s+)?)?` +
    String.raw`(\d{1,2})(?::(\d\d))?\s*(am|pm)?(?![\d:])(?:\s*\(([A-Za-z][\w+\-/]*)\))?`,
  "i",
);
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** When a text says that a limit ends, as far as it does. */
export function endIn(text: string, now: Date): Date | undefined {
  const [, epoch] = EPOCH.exec(text) ?? [];
  const [, seconds] = SECONDS.exec(text) ?? [];
  const [, delay] = DELAY.exec(text) ?? [];
  const [, instant] = ISO.exec(text) ?? [];
  const delayMs = delay === undefined ? undefined : durationOf(delay);
  const end =
    epoch !== undefined
      ? new Date(Number(epoch) * 1_000)
      : seconds !== undefined
        ? after(now, Number(seconds) * 1_000)
        : delayMs !== undefined
          ? after(now, delayMs)
          : instant !== undefined
            ? new Date(instant)
            : clockIn(text, now);
  return end && isAfter(end, now) ? end : undefined;
}

/** A time that has just passed is no time of tomorrow: the program has printed it late. */
const JUST_PASSED_MS = 15 * MINUTE_MS;

/** A time of the day such as `3:30am (Asia/Calcutta)` or `Oct 6, 3pm`, without a zone in that of this machine. */
function clockIn(text: string, now: Date): Date | undefined {
  const [, monthName, day, year, hourText = "", minute = "0", half, zoneName] = CLOCK.exec(text) ?? [];
  if (hourText === "" || (half === undefined && !/\d:\d\d/.test(text) && zoneName === undefined))
    return undefined;
  if (zoneName !== undefined && !isTimeZone(zoneName)) return undefined;
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (/^p/i.test(half) ? 12 : 0);
  if (hour > 23 || Number(minute) > 59) return undefined;
  const zone = zoneName ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const today = new Date(now.getTime() + offsetOf(zone, now.getTime()));
  const at = (yearOf: number, month: number, dayOf: number) =>
    fromWall(Date.UTC(yearOf, month, dayOf, hour, Number(minute)), zone);
  const earliest = now.getTime() - JUST_PASSED_MS;
  if (monthName === undefined) {
    const end = at(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate());
    return end.getTime() >= earliest
      ? end
      : at(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + 1);
  }
  const month = MONTHS.indexOf(monthName.toLowerCase());
  const end = at(Number(year ?? today.getUTCFullYear()), month, Number(day));
  return year !== undefined || end.getTime() >= earliest
    ? end
    : at(today.getUTCFullYear() + 1, month, Number(day));
}

/** The instant at which clocks in a zone show this, given as if it was UTC. */
function fromWall(wall: number, zone: string): Date {
  const guess = wall - offsetOf(zone, wall);
  return new Date(wall - offsetOf(zone, guess));
}

function offsetOf(zone: string, at: number): number {
  const shown = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const part = Object.fromEntries(shown.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

const after = (now: Date, ms: number) => new Date(now.getTime() + Math.min(ms, 400 * DAY_MS));

const isAfter = (end: Date, now: Date) => end.getTime() > now.getTime();
