/** Deliveries as GitLab, Linear, Jira and Slack document them, cut down to what triggers look at. */

export const gitlabNote = (note: string, username = "ann", attributes: object = {}) => ({
  object_kind: "note",
  user: { username },
  project: { path_with_namespace: "acme/shop" },
  object_attributes: { note, system: false, ...attributes },
});

export const linear = (type: string, action: string, data: object = {}, updatedFrom?: object) => ({
  type,
  action,
  data: { id: "i1", ...data },
  ...(updatedFrom ? { updatedFrom } : {}),
  webhookTimestamp: Date.now(),
});

/** An issue of the project SHOP in which one field has changed. */
export const jiraUpdate = (field: string, before: string, after: string) => ({
  webhookEvent: "jira:issue_updated",
  issue: {
    key: "SHOP-1",
    fields: { project: { key: "SHOP" }, labels: ["old"], status: { id: "3", name: "Done" } },
  },
  changelog: { items: [{ field, fromString: before, toString: after }] },
});

export const slack = (event: object) => ({ type: "event_callback", event_id: `Ev${Math.random()}`, event });
