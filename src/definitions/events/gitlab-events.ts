import { mentionsIn } from "../filters/mentions.ts";
import { at, branch, name, once, one, only, type Payload } from "../filters/payload-field.ts";
import type { EventProvider, ProviderEvent } from "./provider-event.ts";

const NO_COMMIT = /^0+$/;

/** Users that are programs: access tokens of projects and groups, service accounts, and GitLab's own. */
const BOT = /^(?:project|group)_\d+_bot(?:_|$)|^service_account_|-bot$/i;

const kindOf = (payload: Payload) => at(payload, "object_kind");
const repos = {
  repos: only(
    name(one("project", "path_with_namespace")),
    /^[^\s/:]+(?:\/[^\s/:]+)+$/,
    "paths with their group, for example acme/shop",
  ),
};

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
const EVENTS: Readonly<Record<string, ProviderEvent>> = {
  merge_request: {
    happened: ({ payload }) => kindOf(payload) === "merge_request",
    means: "merge_request",
    fields: {
      ...repos,
      actions: only(
        name(one("object_attributes", "action")),
        /^(?:open|close|reopen|update|approval|approved|unapproval|unapproved|merge)$/i,
        "open, close, reopen, update, approval, approved, unapproval, unapproved or merge",
      ),
      base_branches: branch(one("object_attributes", "target_branch")),
    },
  },
  bot_mentioned: {
    happened: ({ payload }) =>
      kindOf(payload) === "note" && isNew(payload) && mentionsSomebody(payload) && !isByProgram(payload),
    means: "new note with an @name, not written by a bot",
    fields: repos,
  },
  push: {
    happened: ({ payload }) => kindOf(payload) === "push" && !NO_COMMIT.test(String(at(payload, "after"))),
    means: "push, except for deleted branches",
    fields: repos,
  },
};

/**
 * An edited note may have mentioned the same people before, which GitLab does not send. Since 16.11 it sends edits, and says so in
 * `action`; before, it sent only what was new, without this field.
 */
function isNew(payload: Payload): boolean {
  const action = at(payload, "object_attributes", "action") ?? "create";
  return action === "create";
}

const mentioned = once((payload) => {
  const note = at(payload, "object_attributes", "note");
  return typeof note === "string" ? mentionsIn(note) : [];
});

const mentionsSomebody = (payload: Payload) => (mentioned(payload) ?? []).length > 0;

/** What an agent writes must not start it again. */
function isByProgram(payload: Payload): boolean {
  const user = at(payload, "user", "username");
  return at(payload, "object_attributes", "system") === true || (typeof user === "string" && BOT.test(user));
}

export const GITLAB: EventProvider = {
  title: "GitLab",
  saidAt: "object_kind",
  describe({ payload }) {
    const action = at(payload, "object_attributes", "action");
    const kind = String(kindOf(payload) ?? "a delivery without object_kind");
    return typeof action === "string" ? `${kind} with the action ${action}` : kind;
  },
  titles: [
    "!{{merge_request.iid}} {{merge_request.title}}",
    "#{{issue.iid}} {{issue.title}}",
    "{{object_attributes.title}}",
    "{{commits.0.title}}",
  ],
  events: EVENTS,
};
