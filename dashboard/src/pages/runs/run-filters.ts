import type { Models, RunQuery } from "../../api/models.ts";

/** One filter of the API, under the API's own name, which is its name in the address too. */
export interface RunFilterField {
  name: string;
  label: string;
  kind: "text" | "instant" | "list";
  hint?: string;
}

export const STATES: readonly Models["RunState"][] = [
  "QUEUED",
  "CLAIMED",
  "INPROGRESS",
  "BLOCKED",
  "SUCCEEDED",
  "FAILED",
  "ERROR",
  "CANCELLED",
];

/** How far back the list goes, in place of an instant: an address that is kept means the same time tomorrow. */
export const PERIODS: readonly { value: string; label: string; ms: number }[] = [
  { value: "1h", label: "Last hour", ms: 3_600_000 },
  { value: "24h", label: "Last 24 hours", ms: 24 * 3_600_000 },
  { value: "7d", label: "Last 7 days", ms: 7 * 24 * 3_600_000 },
  { value: "30d", label: "Last 30 days", ms: 30 * 24 * 3_600_000 },
];

/** Those that have a menu of their own, in the order of their chips. */
const MENU_FILTERS: readonly { name: string; label: string }[] = [
  { name: "q", label: "Search" },
  { name: "state", label: "State" },
  { name: "automation_id", label: "Automation" },
  { name: "executor", label: "Agent" },
  { name: "factory_uid", label: "Factory" },
  { name: "source", label: "Source" },
  { name: "period", label: "Created" },
  { name: "created_after", label: "From" },
  { name: "created_before", label: "Until" },
];

/** Those that most people need less often. */
export const MORE_FILTERS: readonly RunFilterField[] = [
  { name: "schedule_id", label: "Schedule", kind: "text" },
  { name: "creator", label: "Creator", kind: "text" },
  { name: "environment_id", label: "Environment", kind: "text" },
  { name: "name", label: "Configuration name", kind: "text" },
  { name: "model_id", label: "Model", kind: "text" },
  { name: "skill", label: "Skill", kind: "text" },
  { name: "ancestor_run_id", label: "Started from run", kind: "text" },
  { name: "rerun_of", label: "Repeats run", kind: "text" },
  { name: "artifact_type", label: "Artifact type", kind: "text" },
  { name: "metadata", label: "Metadata", kind: "list", hint: "key=value, comma-separated." },
  { name: "factory_only", label: "Factory runs only", kind: "text" },
  { name: "updated_after", label: "Updated after", kind: "instant" },
];

/** Taken from an address like the rest, and worth no field: every run here is REMOTE, and the other is Skill once more. */
const WITHOUT_FIELD = ["execution_location", "skill_spec", "task_status"];

const LISTS = new Set(["state", "source", "factory_uid", "task_status"]);
const ORDERS = ["sort_by", "sort_order"];
const FILTERS = [
  ...MENU_FILTERS.map(({ name }) => name),
  ...MORE_FILTERS.map(({ name }) => name),
  ...WITHOUT_FIELD,
];

/** A filter that an address has, with its values. */
export interface SetFilter {
  name: string;
  label: string;
  values: string[];
}

/** The filters of an address, in the order of their fields. */
export function filtersOf(search: URLSearchParams): SetFilter[] {
  const labels = new Map([...MENU_FILTERS, ...MORE_FILTERS].map(({ name, label }) => [name, label]));
  return FILTERS.flatMap((name) => {
    const values = valuesOf(search, name);
    return values.length === 0 ? [] : [{ name, label: labels.get(name) ?? name, values }];
  });
}

/** The values of a filter in an address, which may have it several times, or several values at once. */
export function valuesOf(search: URLSearchParams, name: string): string[] {
  const values = search.getAll(name).flatMap((value) => (LISTS.has(name) ? value.split(",") : [value]));
  return [...new Set(values.filter((value) => value !== ""))];
}

/** An address with other values of a filter; without values, it goes. */
export function withFilter(
  search: URLSearchParams,
  name: string,
  values: readonly string[],
): URLSearchParams {
  const next = new URLSearchParams(search);
  if (values.length === 0) next.delete(name);
  else next.set(name, values.join(","));
  // A period and an interval are two ways to say the same.
  if (values.length > 0 && name === "period") for (const other of INTERVAL) next.delete(other);
  if (values.length > 0 && INTERVAL.includes(name)) next.delete("period");
  return next;
}

const INTERVAL = ["created_after", "created_before"];

/** An address without any filter; the order stays. */
export function withoutFilters(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of FILTERS) next.delete(name);
  return next;
}

/** What an address asks the API for. What it does not know is left out; what the API does not take, the API says. */
export function runQueryOf(search: URLSearchParams, now = Date.now()): RunQuery {
  // By creation, so that nothing that is being read moves when a run changes.
  const query: Record<string, unknown> = { sort_by: "created_at" };
  for (const { name, values } of filtersOf(search)) {
    if (name === "metadata") query.metadata = metadataOf(values[0] ?? "");
    else if (name === "period") query.created_after ??= beginOf(values[0] ?? "", now);
    else query[name] = LISTS.has(name) ? values : values[0];
  }
  for (const name of ORDERS) if (search.get(name)) query[name] = search.get(name);
  if (query.created_after === undefined) delete query.created_after;
  return query as RunQuery;
}

function beginOf(period: string, now: number): string | undefined {
  const ms = PERIODS.find(({ value }) => value === period)?.ms;
  return ms === undefined ? undefined : new Date(now - ms).toISOString();
}

function metadataOf(text: string): Record<string, string> {
  const pairs = text.split(",").map((pair): [string, string] => {
    const [key = "", ...value] = pair.split("=");
    return [key.trim(), value.join("=").trim()];
  });
  return Object.fromEntries(pairs);
}
