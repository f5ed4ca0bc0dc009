import { RUN_STATES } from "../../runs/rules/state.ts";
import { RUN_SORTS } from "../../runs/run-query.ts";
import { type Parameter, queryParameter, ref } from "../http/operation.ts";
import { writtenInstant } from "../http/shapes.ts";
import { ARTIFACT_TYPES } from "./output/artifact-models.ts";
import { KNOWN_SOURCES } from "./run-models.ts";

const text = { type: "string", minLength: 1, maxLength: 1_000 };
const oneOf = (values: readonly string[]) => ({ type: "string", enum: values });
const anyOf = (items: object, maxItems: number) => ({ type: "array", items, minItems: 1, maxItems });

/** States by the words that people use for tasks. */
export const TASK_STATUSES = ["running", "failed", "blocked", "cancelled", "complete"] as const;

/** The word that stands for runs without an environment. */
export const NO_ENVIRONMENT = "empty-environment";

/** What runs can be filtered by and in which order they can come (contract, 1.2). Different filters all have to fit. */
export const runFilters: Parameter[] = [
  queryParameter("sort_by", "The field to sort by. agent sorts by the name of the skill.", {
    ...oneOf(RUN_SORTS),
    default: "updated_at",
  }),
  queryParameter("sort_order", "The sort order: descending or ascending.", {
    ...oneOf(["asc", "desc"]),
    default: "desc",
  }),
  queryParameter("state", "Only runs in one of these states.", {
    type: "array",
    items: ref("RunState"),
    minItems: 1,
    maxItems: Object.keys(RUN_STATES).length,
  }),
  queryParameter(
    "task_status",
    "Only runs in the states that correspond to these task statuses.",
    anyOf(oneOf(TASK_STATUSES), TASK_STATUSES.length),
  ),
  queryParameter("name", "Only runs with this name in their configuration.", text),
  queryParameter("model_id", "Only runs with this model.", text),
  queryParameter("creator", "Only runs created by the principal with this UID.", text),
  queryParameter("executor", "Only runs that execute as the principal with this UID.", text),
  queryParameter(
    "source",
    "Only runs started in one of these ways.",
    anyOf(oneOf(KNOWN_SOURCES), KNOWN_SOURCES.length),
  ),
  queryParameter(
    "execution_location",
    "Only runs at this location; every run of this server is REMOTE.",
    oneOf(["LOCAL", "REMOTE"]),
  ),
  queryParameter("created_after", "Only runs created at or after this time.", writtenInstant),
  queryParameter("created_before", "Only runs created before this time.", writtenInstant),
  queryParameter("updated_after", "Only runs updated at or after this time.", writtenInstant),
  queryParameter(
    "environment_id",
    `Only runs with the environment with this uid, or ${NO_ENVIRONMENT} for runs without one.`,
    {
      type: "string",
      pattern: `^(?:[A-Za-z0-9]{22}|${NO_ENVIRONMENT})$`,
      description: `22 letters and digits, or ${NO_ENVIRONMENT}.`,
    },
  ),
  queryParameter("skill", "Only runs of this skill, given by its specification or its name.", text),
  queryParameter("skill_spec", "Same as skill.", text),
  queryParameter("schedule_id", "Only runs started by the schedule with this id.", text),
  queryParameter("ancestor_run_id", "Only descendants of this run, at any depth.", text),
  queryParameter("rerun_of", "Only runs that repeat the run with this id.", text),
  {
    ...queryParameter("metadata", "Only runs with all of these metadata pairs: metadata[key]=value.", {
      type: "object",
      maxProperties: 5,
      propertyNames: { pattern: "^[A-Za-z0-9._-]{1,64}$" },
      additionalProperties: { type: "string", "x-text": { maxBytes: 256 } },
    }),
    style: "deepObject",
    explode: true,
  },
  queryParameter("artifact_type", "Only runs with an artifact of this type.", oneOf(ARTIFACT_TYPES)),
  queryParameter(
    "q",
    "Search terms: words of the title, the beginning of the prompt or the skill; or the id or link of a run, or the first 8 or more characters of its id.",
    text,
  ),
  queryParameter("automation_id", "Only runs started by the automation with this UID.", text),
  queryParameter("factory_uid", "Only runs of one of these factories.", anyOf(text, 50)),
  queryParameter("factory_only", "Only runs that belong to a factory.", { type: "boolean", default: false }),
];
