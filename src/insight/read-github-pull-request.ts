import { at } from "../definitions/filters/payload-field.ts";
import { countAt, instantAt, textAt, urlAt } from "./payload-values.ts";
import {
  type Interaction,
  type PullRequestAct,
  type PullRequestEvent,
  type PullRequestSnapshot,
  pullRequestAddress,
} from "./pull-request.ts";

/** Actions of `pull_request` that somebody does with the pull request as a whole. */
const ACTIONS: Partial<Record<string, Interaction>> = {
  opened: "opened",
  synchronize: "code_push",
  closed: "pr_action",
  reopened: "pr_action",
  ready_for_review: "pr_action",
  converted_to_draft: "pr_action",
};

const REVIEWS: Partial<Record<string, Interaction>> = {
  approved: "review_approved",
  changes_requested: "review_changes_requested",
  commented: "review_commented",
};

/**
 * What a delivery of GitHub says about a pull request.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request
 */
export function readGithubEvent(event: string | null, payload: unknown): PullRequestEvent | null {
  const subject = subjectOf(event, payload);
  const repository = textAt(payload, "repository", "full_name");
  const number = countAt(subject, "number");
  const address = pullRequestAddress(urlAt(subject, "html_url") ?? "");
  const snapshot = snapshotOf(subject);
  if (!address || !snapshot || repository === null || number === null) return null;
  return {
    url: address.url,
    provider: "github",
    repository,
    number,
    snapshot,
    act: actOf(event, payload, snapshot),
    withdrawal: isDismissal(event, payload) ? { key: reviewKey(payload), at: snapshot.updatedAt } : null,
  };
}

/** The pull request; a comment on one comes as a comment on an issue. */
function subjectOf(event: string | null, payload: unknown): unknown {
  switch (event) {
    case "pull_request":
    case "pull_request_review":
    case "pull_request_review_comment":
      return at(payload, "pull_request");
    case "issue_comment": {
      const issue = at(payload, "issue");
      return at(issue, "pull_request") ? issue : undefined;
    }
    default:
      return undefined;
  }
}

function snapshotOf(subject: unknown): PullRequestSnapshot | null {
  const updatedAt = instantAt(subject, "updated_at");
  if (updatedAt === null) return null;
  const mergedAt = instantAt(subject, "merged_at") ?? instantAt(subject, "pull_request", "merged_at");
  return {
    title: textAt(subject, "title"),
    author: textAt(subject, "user", "login"),
    state: stateOf(subject, mergedAt),
    openedAt: instantAt(subject, "created_at"),
    mergedAt,
    closedAt: instantAt(subject, "closed_at"),
    updatedAt,
    additions: countAt(subject, "additions"),
    deletions: countAt(subject, "deletions"),
    changedFiles: countAt(subject, "changed_files"),
    commits: countAt(subject, "commits"),
  };
}

function stateOf(subject: unknown, mergedAt: string | null): PullRequestSnapshot["state"] {
  if (mergedAt !== null) return "merged";
  if (at(subject, "state") === "closed") return "closed";
  return at(subject, "draft") === true ? "draft" : "open";
}

function actOf(
  event: string | null,
  payload: unknown,
  { updatedAt, author }: PullRequestSnapshot,
): PullRequestAct | null {
  const action = textAt(payload, "action") ?? "";
  if (event === "pull_request") {
    const interaction = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    const what =
      action === "synchronize" ? `${textAt(payload, "before")} ${textAt(payload, "after")}` : updatedAt;
    return interaction
      ? { interaction, key: `${action} ${what}`, at: updatedAt, isPerson: isPerson(payload, undefined) }
      : null;
  }
  if (event === "pull_request_review") {
    const state = textAt(payload, "review", "state")?.toLowerCase() ?? "";
    // A reply of the author to a comment comes as a review, too.
    if (textAt(payload, "review", "user", "login") === author) return null;
    const interaction = action === "submitted" && Object.hasOwn(REVIEWS, state) ? REVIEWS[state] : undefined;
    const submittedAt = instantAt(payload, "review", "submitted_at") ?? updatedAt;
    return interaction
      ? { interaction, key: reviewKey(payload), at: submittedAt, isPerson: isPerson(payload, "review") }
      : null;
  }
  if (action !== "created") return null;
  const interaction = event === "issue_comment" ? "comment" : "review_comment";
  const id = countAt(payload, "comment", "id") ?? updatedAt;
  const createdAt = instantAt(payload, "comment", "created_at") ?? updatedAt;
  return { interaction, key: `${interaction} ${id}`, at: createdAt, isPerson: isPerson(payload, "comment") };
}

function isDismissal(event: string | null, payload: unknown): boolean {
  return event === "pull_request_review" && at(payload, "action") === "dismissed";
}

const reviewKey = (payload: unknown) => `review ${countAt(payload, "review", "id")}`;

/** A bot is no person, and neither is an app that acts for one. */
function isPerson(payload: unknown, written: "review" | "comment" | undefined): boolean {
  if (at(payload, "sender", "type") !== "User") return false;
  return written === undefined || (at(payload, written, "performed_via_github_app") ?? null) === null;
}
