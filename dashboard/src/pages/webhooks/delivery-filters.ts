import type { DeliveryQuery, Models } from "../../api/models.ts";

type Outcome = Models["Delivery"]["outcome"];

const REJECTIONS: readonly Outcome[] = ["Rejected (auth)", "Rejected (invalid JSON)", "Rejected (too large)"];

/** All rejections, as an address has them. */
export const REJECTED = REJECTIONS.join(",");

export const OUTCOMES: readonly { value: string; label: string }[] = [
  { value: "Accepted", label: "Accepted" },
  { value: "Duplicate", label: "Duplicate" },
  { value: REJECTED, label: "Rejected" },
  ...REJECTIONS.map((outcome) => ({ value: outcome, label: outcome })),
];

export const RECEIVED: readonly { value: string; label: string }[] = [
  { value: "hour", label: "Last hour" },
  { value: "day", label: "Last 24 hours" },
  { value: "yesterday", label: "Yesterday" },
  { value: "week", label: "Last 7 days" },
  { value: "custom", label: "Custom" },
];

/** Which time is chosen: one of those that go with the clock, or instants of their own. */
export function receivedIn(search: URLSearchParams): string {
  return search.get("received") ?? (search.has("since") || search.has("until") ? "custom" : "");
}

const MINUTE_MS = 60_000;
const HOURS: Readonly<Record<string, number>> = { hour: 1, day: 24, week: 168 };

/** The instants of a time that goes with the clock, to the minute: the same address asks for the same for a while. */
function spanOf(received: string | null, now: Date): { since?: string; until?: string } {
  const hours = HOURS[received ?? ""];
  if (hours !== undefined) {
    const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
    return { since: new Date(minute - hours * 60 * MINUTE_MS).toISOString() };
  }
  if (received !== "yesterday") return {};
  const midnight = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString();
  return { since: midnight(-1), until: midnight(0) };
}

/** What an address asks the API for. What it does not know is left out; what the API does not take, the API says. */
export function deliveryQueryOf(search: URLSearchParams, now = new Date()): DeliveryQuery {
  const query: Record<string, unknown> = {};
  for (const name of ["factory", "webhook", "since", "until", "event", "q"]) {
    const value = search.get(name)?.trim();
    if (value) query[name] = value;
  }
  Object.assign(query, spanOf(search.get("received"), now));
  const outcome = search.get("outcome");
  if (outcome) query.outcome = outcome.split(",");
  for (const name of ["started", "failed"]) {
    const value = search.get(name);
    if (value) query[name] = value === "true";
  }
  return query as DeliveryQuery;
}
