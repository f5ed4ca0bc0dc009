import type {
  AgentSessionEventWebhookPayload,
  CommentWebhookPayload,
  IssueWebhookPayload,
} from "@linear/sdk";
import type { AppMentionEvent, GenericMessageEvent, ReactionAddedEvent } from "@slack/types";
import { describe, expect, test } from "vitest";
import type { EventProviderName } from "../../../src/definitions/definition.ts";
import { threadOf } from "../../../src/definitions/key-template.ts";
import { GITHUB_EXAMPLES, githubExample } from "../../given/github.ts";

/** A key of `Type`, as the official types of a provider have it: a field that they do not have fails the type check. */
type Fields<Type> = Partial<Type>;

const slack = (
  event: Fields<AppMentionEvent> | Fields<GenericMessageEvent> | Fields<ReactionAddedEvent>,
) => ({
  type: "event_callback",
  event,
});
const linear = <Type>(type: string, data: Fields<Type>) => ({ type, action: "create", data });

describe("{{thread}} is", () => {
  test.each<[string, EventProviderName, unknown, string | undefined]>([
    [
      "the message that a thread of Slack begins with",
      "slack",
      slack({ type: "app_mention", channel: "C1", ts: "1718.1", text: "<@U1> look" }),
      "slack:C1/1718.1",
    ],
    [
      "the same for a reply in it",
      "slack",
      slack({
        type: "message",
        channel: "C1",
        ts: "1719.2",
        thread_ts: "1718.1",
      } as Fields<GenericMessageEvent>),
      "slack:C1/1718.1",
    ],
    [
      "the message of a reaction",
      "slack",
      slack({
        type: "reaction_added",
        item: { type: "message", channel: "C1", ts: "1718.1" },
      } as Fields<ReactionAddedEvent>),
      "slack:C1/1718.1",
    ],
    [
      "the issue of Linear",
      "linear",
      linear<IssueWebhookPayload>("Issue", { id: "i1", title: "Late" }),
      "linear:i1",
    ],
    [
      "the issue of a comment in Linear",
      "linear",
      linear<CommentWebhookPayload>("Comment", { id: "c1", issueId: "i1" }),
      "linear:i1",
    ],
    [
      "the issue of a session of an agent in Linear",
      "linear",
      {
        type: "AgentSessionEvent",
        action: "created",
        agentSession: { issueId: "i1" } as AgentSessionEventWebhookPayload["agentSession"],
      },
      "linear:i1",
    ],
    ["nothing for a project of Linear", "linear", linear("Project", {}), undefined],
    // https://docs.gitlab.com/user/project/integrations/webhook_events/
    [
      "the merge request of GitLab",
      "gitlab",
      {
        object_kind: "merge_request",
        project: { path_with_namespace: "gitlabhq/gitlab-test" },
        object_attributes: { id: 99, iid: 1 },
      },
      "gitlab:gitlabhq/gitlab-test!1",
    ],
    [
      "the merge request of a comment in GitLab",
      "gitlab",
      {
        object_kind: "note",
        project: { path_with_namespace: "gitlabhq/gitlab-test" },
        object_attributes: { id: 1244, noteable_type: "MergeRequest" },
        merge_request: { id: 7, iid: 1 },
      },
      "gitlab:gitlabhq/gitlab-test!1",
    ],
    [
      "the issue of a comment in GitLab",
      "gitlab",
      {
        object_kind: "note",
        project: { path_with_namespace: "gitlab-org/gitlab-test" },
        object_attributes: { id: 1241, noteable_type: "Issue" },
        issue: { id: 92, iid: 17 },
      },
      "gitlab:gitlab-org/gitlab-test#17",
    ],
    [
      "the merge request of a pipeline in GitLab",
      "gitlab",
      {
        object_kind: "pipeline",
        project: { path_with_namespace: "gitlab-org/gitlab-test" },
        object_attributes: { id: 31, iid: 3 },
        merge_request: { id: 1, iid: 1 },
      },
      "gitlab:gitlab-org/gitlab-test!1",
    ],
    [
      "nothing for a push to GitLab",
      "gitlab",
      { object_kind: "push", project: { path_with_namespace: "mike/diaspora" } },
      undefined,
    ],
    [
      "the issue of Jira",
      "jira",
      { webhookEvent: "comment_created", issue: { id: "1", key: "SHOP-1" } },
      "jira:SHOP-1",
    ],
  ])("%s", (_, provider, payload, expected) => {
    expect(threadOf(provider, payload)).toBe(expected);
  });

  test.each([
    ["pull_request", "opened"],
    ["pull_request", "synchronize"],
    ["pull_request_review", "submitted"],
    ["pull_request_review_comment", "created"],
  ])("the pull request of the recorded deliveries of GitHub: %s %s", (event, action) => {
    const { payload } = githubExample(event, action);
    const { number } = payload.pull_request as { number: number };
    const { full_name } = payload.repository as { full_name: string };
    expect(threadOf("github", payload)).toBe(`github:${full_name}#${number}`);
  });

  test("the same for a comment on a pull request as for its pushes", () => {
    const repository = { full_name: "acme/shop" };
    const pushed = githubExample("pull_request", "synchronize", { repository, pull_request: { number: 7 } });
    const commented = githubExample("issue_comment", "created", {
      repository,
      issue: { number: 7, pull_request: {} },
    });
    const checked = { repository, check_run: { pull_requests: [{ number: 7 }] } };
    for (const payload of [pushed.payload, commented.payload, checked])
      expect(threadOf("github", payload)).toBe("github:acme/shop#7");
  });

  test("found in every recorded delivery of GitHub that has a pull request or an issue", () => {
    const about = GITHUB_EXAMPLES.filter(
      ({ payload }) => payload.repository && (payload.pull_request ?? payload.issue),
    );
    expect(about.length).toBeGreaterThan(50);
    for (const { payload } of about) expect(threadOf("github", payload)).toMatch(/^github:.+\/.+#\d+$/);
  });

  test("another one for an issue of GitLab than for one of GitHub with the same name", () => {
    const issue = { object_kind: "issue", project: { path_with_namespace: "acme/shop" } };
    const ofGitlab = threadOf("gitlab", { ...issue, object_attributes: { iid: 7 } });
    const ofGithub = threadOf("github", { repository: { full_name: "acme/shop" }, issue: { number: 7 } });
    expect([ofGitlab, ofGithub]).toEqual(["gitlab:acme/shop#7", "github:acme/shop#7"]);
  });
});
