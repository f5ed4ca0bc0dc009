import { NOTIFICATION_EVENTS } from "../../config/notification-settings.ts";
import { OUTBOUND_EVENTS } from "../../config/outbound-events.ts";
import { OUTCOMES } from "../../ingress/delivery.ts";
import { PERIODS } from "../../insight/periods.ts";
import { PULL_REQUEST_STATES } from "../../insight/pull-request.ts";
import { OUTBOX_STATES } from "../../messages/outbox.ts";
import { STAGES } from "../../runs/rules/stage.ts";
import { RUN_STATES } from "../../runs/rules/state.ts";
import { RUN_SORTS } from "../../runs/run-query.ts";
import { TASK_SORTS } from "../../runs/tasks/task.ts";
import { LIST_LAG_HEADER } from "../http/headers.ts";
import { json, type Parameter, pageParameters, queryParameter, ref } from "../http/operation.ts";
import { ARTIFACT_TYPES } from "../models/run-output.ts";
import { KNOWN_SOURCES, NO_ENVIRONMENT, TASK_STATUSES } from "../models/runs.ts";
import { writtenInstant } from "../models/shapes.ts";

export const text = { type: "string", minLength: 1, maxLength: 1_000 };
export const shortText = { type: "string", minLength: 1, maxLength: 200 };
/** Whether something is wanted; it is not unless the request says so. */
export const flag = { type: "boolean", default: false };
/** How long an answer may wait. */
export const waitTime = {
  type: "string",
  pattern: "^(?:[0-9]{1,5}ms|[0-9]{1,2}s|1m)$",
  description: "A duration such as 30s.",
};
const oneOf = (values: readonly string[]) => ({ type: "string", enum: values });
const anyOf = (items: object, maxItems: number) => ({ type: "array", items, minItems: 1, maxItems });

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

export const taskFilters: Parameter[] = [
  queryParameter("created_after", "Only tasks created at or after this time.", writtenInstant),
  queryParameter("created_before", "Only tasks created before this time.", writtenInstant),
  queryParameter("updated_after", "Only tasks updated at or after this time.", writtenInstant),
  queryParameter("created_by", "Only tasks of one of these authors, given by UID or name.", {
    type: "array",
    items: text,
    minItems: 1,
    maxItems: 50,
  }),
  queryParameter("stage", "Only tasks in one of these stages.", {
    type: "array",
    items: ref("TaskStage"),
    minItems: 1,
    maxItems: STAGES.length,
  }),
  queryParameter("q", "Part of the title; case-insensitive.", text),
  queryParameter("sort_by", "The field to sort by.", {
    type: "string",
    enum: TASK_SORTS,
    default: "updated_at",
  }),
  queryParameter("sort_order", "The sort order: descending or ascending.", {
    type: "string",
    enum: ["asc", "desc"],
    default: "desc",
  }),
  queryParameter("full_list", "Whether to include the tickets and the outputs of the tasks.", flag),
  queryParameter("include_current_run", "Whether to include the current run of each task.", flag),
];

/** What deliveries can be filtered by, whichever list they are in. */
export const deliveryFilters: Parameter[] = [
  queryParameter("outcome", "Only deliveries with one of these outcomes. Repeat the parameter for several.", {
    type: "array",
    items: { type: "string", enum: [...OUTCOMES] },
    minItems: 1,
    maxItems: OUTCOMES.length,
  }),
  queryParameter("since", "Only deliveries received at or after this time.", writtenInstant),
  queryParameter("until", "Only deliveries received before this time.", writtenInstant),
  queryParameter(
    "started",
    "true: only deliveries that started runs which still exist. false: only deliveries that did not.",
    { type: "boolean" },
  ),
  queryParameter(
    "failed",
    "true: only deliveries with a run that failed. false: only deliveries without one.",
    { type: "boolean" },
  ),
  queryParameter(
    "event",
    "Only deliveries of this event, as named by the provider's header or by the payload, for example `issues`. Case is ignored.",
    shortText,
  ),
  queryParameter(
    "q",
    "Only deliveries that contain all of these words, in any order: in the payload, the event, the delivery ID, the identity or the reason of a refusal. A word that ends with * matches all words that begin with it. Case and accents are ignored.",
    shortText,
  ),
];

const searchable = {
  ...LIST_LAG_HEADER,
  "Millrace-Searchable-From": {
    description:
      "After an upgrade, older deliveries are made searchable in the background. Those received before this time cannot be found with q or event yet. The header is missing if all can be found.",
    schema: { type: "string", format: "date-time" },
  },
} as const;

/** A list of deliveries, which can be behind the deliveries themselves. */
export const deliveryPage = {
  200: {
    ...json(
      "A page of deliveries. It can contain fewer deliveries than the limit, or none, while has_next_page is true.",
      ref("DeliveryList"),
    ),
    headers: searchable,
  },
};

/** How a transcript is asked for, beside the id of the last event that was seen. */
export const transcriptParameters: Parameter[] = [
  {
    name: "Range",
    in: "header",
    required: false,
    schema: { type: "string" },
    description: "A range of the text, in bytes: bytes=0-65535, or the last bytes with bytes=-65536.",
  },
  queryParameter("follow", "Whether to stream Server-Sent Events until the run ends.", flag),
  queryParameter("steps", "Whether the stream also contains the steps that the harness reports.", flag),
];

/** A transcript as a text, a part of it, or a stream of events. */
export const transcriptAnswers = {
  200: {
    description:
      "The output so far, or events: output {text, stream, turn, at} and, on request, step {id, turn, time, type, …}, then end {state}.",
    content: {
      "text/plain; charset=utf-8": { schema: { type: "string" } },
      "text/event-stream": { schema: { type: "string" } },
    },
  },
  206: {
    description: "The requested range.",
    content: { "text/plain; charset=utf-8": { schema: { type: "string" } } },
  },
};

export const ifNoneMatch: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of a cached response.",
  schema: { type: "string" },
};
export const unchanged = { 304: { description: "The cached response is current." } };

const when = { type: "string", minLength: 1, maxLength: 60 };
export const usageSpan = [
  queryParameter(
    "since",
    "The beginning of the period: a time such as 2026-01-31T12:00:00Z, a date, or an age such as 24h or 30d.",
    { ...when, default: "30d" },
  ),
  queryParameter("until", "The end of the period, in the same forms. Default: now.", when),
  queryParameter("factory", "Only usage of this factory, given by name or UID.", shortText),
];

export const dates = [
  queryParameter(
    "start_date",
    "The start of the period, inclusive. Default: 30 days before end_date.",
    writtenInstant,
  ),
  queryParameter("end_date", "The end of the period, exclusive. Default: now.", writtenInstant),
];
export const byPeriod = queryParameter(
  "group_by_period",
  "Also returns the figures of each period, in UTC. Weeks start on Sunday. At most 365 periods.",
  { type: "string", enum: PERIODS },
);
export const groupBy = (groups: readonly string[]): Parameter => ({
  ...queryParameter("group_by", "What the figures are divided by.", { type: "string", enum: groups }),
  required: true,
});
export const limit = (maximum: number, standard: number, items = "items") =>
  queryParameter("limit", `The maximum number of ${items} to return.`, {
    type: "integer",
    minimum: 1,
    maximum,
    default: standard,
  });

const after = (field: string) =>
  queryParameter(`${field}_after`, `Only pull requests ${field} at or after this time.`, writtenInstant);
const before = (field: string) =>
  queryParameter(`${field}_before`, `Only pull requests ${field} before this time.`, writtenInstant);

export const pullRequestFilters: Parameter[] = [
  limit(500, 50),
  ...pageParameters.filter(({ name }) => name === "cursor"),
  queryParameter("repo", "Only pull requests of this repository: owner/name.", {
    type: "string",
    minLength: 1,
    maxLength: 300,
  }),
  queryParameter("state", "Only pull requests in one of these states.", {
    type: "array",
    items: { type: "string", enum: PULL_REQUEST_STATES },
    minItems: 1,
    maxItems: PULL_REQUEST_STATES.length,
  }),
  ...[after("opened"), before("opened"), after("merged"), before("merged"), after("updated")],
];

export const factoryParameter = (what: string) =>
  queryParameter("factory", `Only ${what} of this factory, given by name or UID.`, shortText);
export const uidParameter = (what: string) =>
  queryParameter("uid", `Only the ${what} with this UID.`, shortText);

const severalOf = (values: readonly string[], maxItems: number) => ({
  type: "array",
  items: oneOf(values),
  maxItems,
});

export const notificationFilters: Parameter[] = [
  queryParameter("target", "Only notifications for the target with this id.", shortText),
  queryParameter("state", "Only notifications in one of these states.", severalOf(OUTBOX_STATES, 10)),
  queryParameter(
    "event",
    "Only notifications about one of these events.",
    severalOf([...NOTIFICATION_EVENTS, "test"], 10),
  ),
];

export const outboundDeliveryFilters: Parameter[] = [
  queryParameter("state", "Only deliveries in one of these states.", severalOf(OUTBOX_STATES, 20)),
  queryParameter(
    "event",
    "Only deliveries of one of these events.",
    severalOf([...OUTBOUND_EVENTS, "test"], 20),
  ),
];

export const auditFilters: Parameter[] = [
  queryParameter("actor", "Only calls by this principal, given by name or UID.", text),
  queryParameter("action", "Only calls with this operationId.", text),
  queryParameter(
    "factory",
    "Only calls that belong to this factory, given by name or UID; a deleted factory by UID. Calls from before this filter existed belong to no factory.",
    text,
  ),
  queryParameter("since", "Only calls at or after this time.", writtenInstant),
  queryParameter("until", "Only calls before this time.", writtenInstant),
];

/** A parameter that a request cannot omit. */
export const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true });
