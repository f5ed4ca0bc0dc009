import { anyOf, at, name, one, only, type Payload, type Read, scalars } from "../filters/payload-field.ts";
import type { EventProvider, ProviderEvent } from "./provider-event.ts";

const webhookEvent = (payload: Payload) => at(payload, "webhookEvent");

/** What an update has changed of a field: Jira lists each change with its values before and after. */
function changeOf(payload: Payload, field: string): unknown {
  const items = at(payload, "changelog", "items");
  if (webhookEvent(payload) !== "jira:issue_updated" || !Array.isArray(items)) return undefined;
  return items.find((item) => at(item, "field") === field);
}

const wordsOf = (text: unknown) => (typeof text === "string" ? text.split(/\s+/).filter(Boolean) : []);

/** Jira writes all labels of an issue into one text, before and after. */
function addedLabels(payload: Payload): string[] {
  const change = changeOf(payload, "labels");
  const before = new Set(wordsOf(at(change, "fromString")));
  return wordsOf(at(change, "toString")).filter((label) => !before.has(label));
}

const allLabels: Read = (payload) => {
  const labels = at(payload, "issue", "fields", "labels");
  return Array.isArray(labels) ? scalars(labels) : undefined;
};

const project = {
  project_keys: only(
    name(one("issue", "fields", "project", "key")),
    /^[a-z]\w*$/i,
    "keys of projects, for example SHOP",
  ),
};

/** https://developer.atlassian.com/cloud/jira/platform/webhooks/. No webhook tells of agent sessions. */
const EVENTS: Readonly<Record<string, ProviderEvent>> = {
  issue_created: {
    happened: ({ payload }) => webhookEvent(payload) === "jira:issue_created",
    means: "jira:issue_created",
    fields: { ...project, labels: name(allLabels) },
  },
  issue_labeled: {
    happened: ({ payload }) => addedLabels(payload).length > 0,
    means: "jira:issue_updated that adds a label",
    fields: { ...project, labels: name(addedLabels) },
  },
  status_changed: {
    happened: ({ payload }) => changeOf(payload, "status") !== undefined,
    means: "jira:issue_updated that changes the status",
    fields: {
      ...project,
      status_ids: name(anyOf(["issue", "fields", "status", "id"], ["issue", "fields", "status", "name"])),
    },
  },
};

export const JIRA: EventProvider = {
  title: "Jira",
  saidAt: "webhookEvent",
  describe: ({ payload }) => String(webhookEvent(payload) ?? "a delivery without webhookEvent"),
  titles: ["{{issue.key}} {{issue.fields.summary}}"],
  events: EVENTS,
};
