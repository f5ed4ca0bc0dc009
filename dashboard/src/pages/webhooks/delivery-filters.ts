import type { DeliveryQuery, Models } from "../../api/models.ts";

type Outcome = Models["Delivery"]["outcome"];

const REJECTED: readonly Outcome[] = ["Rejected (auth)", "Rejected (invalid JSON)", "Rejected (too large)"];

export const OUTCOMES: readonly { value: string; label: string }[] = [
  { value: "Accepted", label: "Accepted" },
  { value: "Duplicate", label: "Duplicate" },
  { value: REJECTED.join(","), label: "Rejected" },
  ...REJECTED.map((outcome) => ({ value: outcome, label: outcome })),
];

/** What an address asks the API for. What it does not know is left out; what the API does not take, the API says. */
export function deliveryQueryOf(search: URLSearchParams): DeliveryQuery {
  const query: Record<string, unknown> = {};
  for (const name of ["factory", "webhook", "since", "until"]) {
    const value = search.get(name);
    if (value) query[name] = value;
  }
  const outcome = search.get("outcome");
  if (outcome) query.outcome = outcome.split(",");
  const started = search.get("started");
  if (started) query.started = started === "true";
  return query as DeliveryQuery;
}
