import { RUN_SORTS } from "../../runs/run-query.ts";
import { RUN_STATES } from "../../runs/state.ts";
import { ARTIFACT_TYPES } from "./artifact-models.ts";
import { queryParameter, ref } from "./operation.ts";
import { KNOWN_SOURCES } from "./run-models.ts";

const text = { type: "string", minLength: 1, maxLength: 1_000 };
const oneOf = (values: readonly string[]) => ({ type: "string", enum: values });
const anyOf = (items: object, maxItems: number) => ({ type: "array", items, minItems: 1, maxItems });
/** RFC 3339; without an offset it is UTC. */
const instant = {
  type: "string",
  format: "instant",
  description:
    "An instant such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31, which is its beginning in UTC.",
};

/** States by the words that people use for tasks. */
export const TASK_STATUSES = ["running", "failed", "blocked", "cancelled", "complete"] as const;

/** The word that stands for runs without an environment. */
export const NO_ENVIRONMENT = "empty-environment";

/** What runs can be filtered by and in which order they can come (contract, 1.2). Different filters all have to fit. */
export const runFilters = [
  queryParameter("sort_by", "What to sort by; agent is the name of the skill.", {
    ...oneOf(RUN_SORTS),
    default: "updated_at",
  }),
  queryParameter("sort_order", "Last first or first first.", { ...oneOf(["asc", "desc"]), default: "desc" }),
  queryParameter("state", "Only runs in one of these states.", {
    type: "array",
    items: ref("RunState"),
    minItems: 1,
    maxItems: Object.keys(RUN_STATES).length,
  }),
  queryParameter(
    "task_status",
    "Only runs in the states that one of these words stands for.",
    anyOf(oneOf(TASK_STATUSES), TASK_STATUSES.length),
  ),
  queryParameter("name", "The name in the configuration.", text),
  queryParameter("model_id", "The model.", text),
  queryParameter("creator", "The uid of who asked for the run.", text),
  queryParameter("executor", "The uid of whom it acts as.", text),
  queryParameter("source", "How the run was started.", anyOf(oneOf(KNOWN_SOURCES), KNOWN_SOURCES.length)),
  queryParameter("execution_location", "Every run of this server is REMOTE.", oneOf(["LOCAL", "REMOTE"])),
  queryParameter("created_after", "Not before this instant.", instant),
  queryParameter("created_before", "Before this instant.", instant),
  queryParameter("updated_after", "Not updated before this instant.", instant),
  queryParameter("environment_id", `The uid of the environment, or ${NO_ENVIRONMENT}.`, {
    type: "string",
    pattern: `^(?:[A-Za-z0-9]{22}|${NO_ENVIRONMENT})$`,
    description: `22 letters and digits, or ${NO_ENVIRONMENT}.`,
  }),
  queryParameter("skill", "A skill by its specification or its name.", text),
  queryParameter("skill_spec", "The same as skill.", text),
  queryParameter("schedule_id", "The schedule that started the run.", text),
  queryParameter("ancestor_run_id", "Only runs that were started from this one, at any remove.", text),
  {
    ...queryParameter("metadata", "Pairs that all have to be there: metadata[key]=value.", {
      type: "object",
      maxProperties: 5,
      propertyNames: { pattern: "^[A-Za-z0-9._-]{1,64}$" },
      additionalProperties: { type: "string", "x-text": { maxBytes: 256 } },
    }),
    style: "deepObject",
    explode: true,
  },
  queryParameter("artifact_type", "Only runs that have left something of this type.", oneOf(ARTIFACT_TYPES)),
  queryParameter(
    "q",
    "Words of the title, the beginning of the prompt or the skill; or the id or the link of a run.",
    text,
  ),
  queryParameter("automation_id", "The uid of the automation that started the run.", text),
  queryParameter("factory_uid", "Only runs of one of these factories.", anyOf(text, 50)),
  queryParameter("factory_only", "Only runs that belong to a factory.", { type: "boolean", default: false }),
];
