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

/** The ways in which runs of this server can start. */
export const SOURCES: readonly Models["RunSourceType"][] = [
  "CUSTOM_WEBHOOK",
  "GITHUB_WEBHOOK",
  "SCHEDULED_AGENT",
  "API",
  "CLI",
  "WEB_APP",
];

/** Those that most people need less often. */
export const MORE_FILTERS: readonly RunFilterField[] = [
  { name: "name", label: "Configuration name", kind: "text" },
  { name: "model_id", label: "Model", kind: "text" },
  { name: "creator", label: "Creator", kind: "text", hint: "UID of the key owner that created the run." },
  { name: "executor", label: "Executor", kind: "text", hint: "UID of the principal that the run acts as." },
  {
    name: "automation_id",
    label: "Automation",
    kind: "text",
    hint: "UID of the automation that started the run.",
  },
  { name: "schedule_id", label: "Schedule", kind: "text" },
  {
    name: "environment_id",
    label: "Environment",
    kind: "text",
    hint: "UID of the environment, or empty-environment.",
  },
  { name: "skill", label: "Skill", kind: "text" },
  { name: "ancestor_run_id", label: "Started from run", kind: "text" },
  {
    name: "artifact_type",
    label: "Artifact type",
    kind: "text",
    hint: "PLAN, PULL_REQUEST, SCREENSHOT, FILE …",
  },
  { name: "metadata", label: "Metadata", kind: "list", hint: "key=value, comma-separated." },
  {
    name: "factory_only",
    label: "Factory runs only",
    kind: "text",
    hint: "true excludes runs that belong to no factory.",
  },
  { name: "created_after", label: "Created after", kind: "instant" },
  { name: "created_before", label: "Created before", kind: "instant" },
  { name: "updated_after", label: "Updated after", kind: "instant" },
];

/** Taken from an address like the rest, and worth no field: every run here is REMOTE, and the other is Skill once more. */
const WITHOUT_FIELD = ["execution_location", "skill_spec"];

const LISTS = new Set(["state", "source", "factory_uid", "task_status"]);

/** What an address asks the API for. What it does not know is left out; what the API does not take, the API says. */
export function runQueryOf(search: URLSearchParams): RunQuery {
  // By creation, so that nothing that is being read moves when a run changes.
  const query: Record<string, unknown> = { sort_by: "created_at" };
  const fields = MORE_FILTERS.map(({ name }) => name);
  const known = new Set(["q", "sort_by", "sort_order", ...LISTS, ...fields, ...WITHOUT_FIELD]);
  for (const [name, value] of search) {
    if (!known.has(name) || value === "") continue;
    if (name === "metadata") query.metadata = metadataOf(value);
    else query[name] = LISTS.has(name) ? value.split(",") : value;
  }
  return query as RunQuery;
}

function metadataOf(text: string): Record<string, string> {
  const pairs = text.split(",").map((pair): [string, string] => {
    const [key = "", ...value] = pair.split("=");
    return [key.trim(), value.join("=").trim()];
  });
  return Object.fromEntries(pairs);
}
