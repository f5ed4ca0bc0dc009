import {
  anyOf,
  at,
  each,
  keyword,
  name,
  once,
  only,
  type Payload,
  type Read,
  scalars,
} from "../filters/payload-field.ts";
import type { EventProvider, ProviderEvent } from "./provider-event.ts";

const tells = (payload: Payload, type: string, action: string) =>
  at(payload, "type") === type && at(payload, "action") === action;

/** Whether an update has changed a field: `updatedFrom` holds what it was before. */
const isChanged = (payload: Payload, field: string) =>
  tells(payload, "Issue", "update") && at(payload, "updatedFrom", field) !== undefined;

/** Filters may name things by id, or by the name or key that people use. */
const thing = (...path: string[]) => {
  const last = path.at(-1) ?? "";
  const before = path.slice(0, -1);
  return anyOf([...before, `${last}Id`], [...path, "id"], [...path, "name"], [...path, "key"]);
};

const addedLabelIds = (payload: Payload): unknown[] => {
  const [now, before] = [at(payload, "data", "labelIds"), at(payload, "updatedFrom", "labelIds")];
  if (!Array.isArray(now)) return [];
  return Array.isArray(before) ? now.filter((id) => !before.includes(id)) : now;
};

/** The labels that were added just now, by name and id. */
const addedLabels = once((payload) => {
  const added = new Set(addedLabelIds(payload));
  const labels = at(payload, "data", "labels");
  const names = Array.isArray(labels)
    ? labels.filter((label) => added.has(at(label, "id"))).map((label) => at(label, "name"))
    : [];
  return scalars([...added, ...names]);
});

const allLabels: Read = (payload) => {
  const names = each(["data", "labels"], "name")(payload);
  return names && [...names, ...(each(["data", "labels"], "id")(payload) ?? [])];
};

const USER_MENTION = /"type":"suggestion_userMentions","attrs":\{[^{}]*?"id":"([^"]+)"/g;

/** Linear writes whom a text mentions into its structured form only. */
const mentionedIn = (field: string): Read =>
  once((payload) => {
    const structured = at(payload, "data", field);
    if (typeof structured !== "string") return undefined;
    return [...structured.matchAll(USER_MENTION)].map(([, id = ""]) => id);
  });

/** Of a person whom a text mentions, Linear sends nothing else. */
const byId = (read: Read) =>
  only(name(read), /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, "the ids of people, which are UUIDs");

const issue = {
  team_ids: name(thing("data", "team")),
  project_ids: name(thing("data", "project")),
  labels: name(allLabels),
  state_ids: name(thing("data", "state")),
  assignee_ids: name(thing("data", "assignee")),
  mentioned_user_ids: byId(mentionedIn("descriptionData")),
  creator_ids: name(thing("data", "creator")),
};

const sessionText: Read = (payload) => {
  const texts = [
    at(payload, "promptContext"),
    at(payload, "agentSession", "comment", "body"),
    at(payload, "agentSession", "issue", "title"),
    at(payload, "agentSession", "issue", "description"),
  ];
  return texts.some((text) => typeof text === "string") ? scalars(texts) : undefined;
};

/** https://linear.app/developers/webhooks */
const EVENTS: Readonly<Record<string, ProviderEvent>> = {
  issue_created: {
    happened: ({ payload }) => tells(payload, "Issue", "create"),
    means: "Issue create",
    fields: issue,
  },
  issue_labeled: {
    happened: ({ payload }) => isChanged(payload, "labelIds") && addedLabelIds(payload).length > 0,
    means: "Issue update that adds a label",
    fields: { ...issue, labels: name(addedLabels) },
  },
  issue_assigned: {
    happened: ({ payload }) =>
      isChanged(payload, "assigneeId") && typeof at(payload, "data", "assigneeId") === "string",
    means: "Issue update that sets the assignee",
    fields: issue,
  },
  issue_state_changed: {
    happened: ({ payload }) => isChanged(payload, "stateId"),
    means: "Issue update that changes the state",
    fields: issue,
  },
  comment_created: {
    happened: ({ payload }) => tells(payload, "Comment", "create"),
    means: "Comment create",
    fields: {
      team_ids: name(thing("data", "issue", "team")),
      issue_ids: only(
        name(anyOf(["data", "issueId"], ["data", "issue", "id"], ["data", "issue", "identifier"])),
        /^[\w-]+$/,
        "ids and identifiers of issues, for example ENG-5",
      ),
      mentioned_user_ids: byId(mentionedIn("bodyData")),
      creator_ids: name(thing("data", "user")),
    },
  },
  agent_session_created: {
    happened: ({ payload }) => tells(payload, "AgentSessionEvent", "created"),
    means: "AgentSessionEvent created",
    fields: {
      team_ids: name(thing("agentSession", "issue", "team")),
      creator_ids: name(thing("agentSession", "creator")),
      keywords: keyword(sessionText),
    },
  },
};

export const LINEAR: EventProvider = {
  title: "Linear",
  saidAt: "type",
  describe: ({ payload }) => {
    const [type, action] = [at(payload, "type"), at(payload, "action")];
    return typeof type === "string" ? `${type} ${String(action ?? "")}`.trim() : "a delivery without a type";
  },
  titles: [
    "{{data.identifier}} {{data.title}}",
    "{{data.issue.identifier}} {{data.issue.title}}",
    "{{agentSession.issue.identifier}} {{agentSession.issue.title}}",
    "{{data.title}}",
  ],
  events: EVENTS,
  /** A comment that mentions an agent comes as `Comment`, and as the session that it has begun. */
  happeningOf(payload) {
    const isComment = at(payload, "type") === "Comment";
    const comment = isComment ? at(payload, "data", "id") : at(payload, "agentSession", "comment", "id");
    return typeof comment === "string" ? `comment/${comment}` : undefined;
  },
};
