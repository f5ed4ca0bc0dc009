import { sentNumber } from "../../edge/sent-numbers.ts";
import type { EventProviderName } from "../definition.ts";
import { at, type Payload } from "../filters/payload-field.ts";

/**
 * The conversation or the thing that an event of a provider is about, as `{{thread}}` stands for it in a key. It names the
 * provider: a repository and its mirror elsewhere can have the same path.
 * @returns nothing for an event that is about none
 */
export function threadOf(provider: EventProviderName, payload: Payload): string | undefined {
  const thread = THREADS[provider](payload);
  return thread === undefined ? undefined : `${provider}:${thread}`;
}

const THREADS: Readonly<Record<EventProviderName, (payload: Payload) => string | undefined>> = {
  slack: slackThread,
  linear: linearIssue,
  gitlab: gitlabThing,
  github: githubThing,
  jira: (payload) => text(payload, "issue", "key"),
};

/** A message that nobody has replied to yet is the beginning of its thread: https://docs.slack.dev/messaging/#threading */
function slackThread(payload: Payload): string | undefined {
  const channel = text(payload, "event", "channel") ?? text(payload, "event", "item", "channel");
  const start =
    text(payload, "event", "thread_ts") ??
    text(payload, "event", "ts") ??
    text(payload, "event", "item", "ts");
  return joined("/", channel, start);
}

/** https://linear.app/developers/webhooks */
function linearIssue(payload: Payload): string | undefined {
  return (
    text(payload, "agentSession", "issueId") ??
    text(payload, "agentSession", "issue", "id") ??
    text(payload, "data", "issueId") ??
    text(payload, "data", "issue", "id") ??
    (at(payload, "type") === "Issue" ? text(payload, "data", "id") : undefined)
  );
}

/** Notes name what they are about; a pipeline may belong to a merge request. */
function gitlabThing(payload: Payload): string | undefined {
  const project = text(payload, "project", "path_with_namespace");
  const kind = at(payload, "object_kind");
  if (kind === "issue" || kind === "work_item")
    return joined("#", project, text(payload, "object_attributes", "iid"));
  const request =
    kind === "merge_request"
      ? text(payload, "object_attributes", "iid")
      : text(payload, "merge_request", "iid");
  return joined("!", project, request) ?? joined("#", project, text(payload, "issue", "iid"));
}

/** Issues and pull requests share their numbers; checks and workflows name the pull requests of their commit. */
function githubThing(payload: Payload): string | undefined {
  const repository = text(payload, "repository", "full_name");
  const number =
    text(payload, "pull_request", "number") ??
    text(payload, "issue", "number") ??
    ["check_run", "check_suite", "workflow_run"]
      .map((kind) => text(payload, kind, "pull_requests", "0", "number"))
      .find((found) => found !== undefined) ??
    text(payload, "discussion", "number");
  return joined("#", repository, number);
}

function joined(by: string, ...parts: (string | undefined)[]): string | undefined {
  return parts.every((part) => part !== undefined) ? parts.join(by) : undefined;
}

function text(payload: Payload, ...path: string[]): string | undefined {
  const value = at(payload, ...path);
  if (typeof value === "number") return sentNumber(payload, path, value) ?? String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
