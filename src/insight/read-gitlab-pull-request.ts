import { at } from "../definitions/filters/payload-field.ts";
import { countAt, instantAt, textAt, urlAt } from "./payload-values.ts";
import {
  type Interaction,
  type PullRequestAct,
  type PullRequestEvent,
  type PullRequestSnapshot,
  pullRequestAddress,
} from "./pull-request.ts";

const ACTIONS: Partial<Record<string, Interaction>> = {
  open: "opened",
  approved: "review_approved",
  approval: "review_approved",
  merge: "pr_action",
  close: "pr_action",
  reopen: "pr_action",
};

/** What GitLab calls service accounts, and the accounts of access tokens of projects and groups. */
const BOT = /^(?:(?:project|group)_\d+_bot|service_account_)/;

/**
 * What a delivery of GitLab says about a merge request. It says nothing of its size.
 * https://docs.gitlab.com/user/project/integrations/webhook_events/#merge-request-events
 */
export function readGitlabEvent(payload: unknown): PullRequestEvent | null {
  const kind = at(payload, "object_kind");
  const subject =
    kind === "merge_request"
      ? at(payload, "object_attributes")
      : kind === "note"
        ? at(payload, "merge_request")
        : undefined;
  const repository = textAt(payload, "project", "path_with_namespace");
  const number = countAt(subject, "iid");
  const address = pullRequestAddress(urlAt(subject, "url") ?? writtenUrl(payload, number));
  const updatedAt = instantAt(subject, "updated_at");
  if (!address || updatedAt === null || repository === null || number === null) return null;
  const isOpener = kind === "merge_request" && at(subject, "action") === "open";
  return {
    url: address.url,
    provider: "gitlab",
    repository,
    number,
    snapshot: snapshotOf(payload, subject, { updatedAt, isOpener }),
    act: kind === "note" ? noteOf(payload, updatedAt) : actOf(payload, subject, updatedAt),
    withdrawal: isWithdrawal(kind, subject) ? { key: approvalKey(payload), at: updatedAt } : null,
  };
}

/** The merge request of a note comes without its own address. */
function writtenUrl(payload: unknown, number: number | null): string {
  return `${urlAt(payload, "project", "web_url") ?? ""}/-/merge_requests/${number}`;
}

function snapshotOf(
  payload: unknown,
  subject: unknown,
  { updatedAt, isOpener }: { updatedAt: string; isOpener: boolean },
): PullRequestSnapshot {
  const action = at(subject, "action");
  return {
    title: textAt(subject, "title"),
    // GitLab names its author by number alone; whoever opens it is its author.
    author: isOpener ? textAt(payload, "user", "username") : null,
    state: stateOf(subject),
    openedAt: instantAt(subject, "created_at"),
    mergedAt: action === "merge" ? (instantAt(subject, "merged_at") ?? updatedAt) : null,
    closedAt: action === "merge" || action === "close" ? updatedAt : null,
    updatedAt,
    additions: null,
    deletions: null,
    changedFiles: null,
    commits: null,
  };
}

function stateOf(subject: unknown): PullRequestSnapshot["state"] {
  const state = at(subject, "state");
  if (state === "merged" || state === "closed") return state;
  return at(subject, "draft") === true || at(subject, "work_in_progress") === true ? "draft" : "open";
}

function actOf(payload: unknown, subject: unknown, updatedAt: string): PullRequestAct | null {
  const action = textAt(subject, "action") ?? "";
  const isPush = action === "update" && textAt(subject, "oldrev") !== null;
  const interaction = isPush ? "code_push" : Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!interaction) return null;
  const what = isPush ? (textAt(subject, "last_commit", "id") ?? updatedAt) : updatedAt;
  const key = interaction === "review_approved" ? approvalKey(payload) : `${action} ${what}`;
  return { interaction, key, at: updatedAt, isPerson: isPerson(payload) };
}

function isWithdrawal(kind: unknown, subject: unknown): boolean {
  const action = at(subject, "action");
  return kind === "merge_request" && (action === "unapproved" || action === "unapproval");
}

/** A person approves once. The last approval that is needed comes twice: as one, and as the end of them. */
const approvalKey = (payload: unknown) => `approval ${textAt(payload, "user", "username")}`;

function noteOf(payload: unknown, updatedAt: string): PullRequestAct | null {
  const note = at(payload, "object_attributes");
  if (at(note, "system") === true || (textAt(note, "action") ?? "create") !== "create") return null;
  const interaction = at(note, "type") === "DiffNote" ? "review_comment" : "comment";
  const id = countAt(note, "id") ?? updatedAt;
  const createdAt = instantAt(note, "created_at") ?? updatedAt;
  return { interaction, key: `${interaction} ${id}`, at: createdAt, isPerson: isPerson(payload) };
}

function isPerson(payload: unknown): boolean {
  const username = textAt(payload, "user", "username");
  return username !== null && !BOT.test(username);
}
