import { describe, expect, test } from "vitest";
import { readPullRequestEvent } from "../../src/insight/read-pull-request-event.ts";
import { GITHUB_EXAMPLES, githubExample } from "../given/github.ts";

const NOW = new Date("2026-11-27T12:00:00Z");
const ofGithub = (event: string, payload: unknown) =>
  readPullRequestEvent({ provider: "github", event, payload }, NOW);
const ofGitlab = (payload: unknown) =>
  readPullRequestEvent({ provider: "gitlab", event: null, payload }, NOW);
const told = (event: string, action: string, changes: Record<string, unknown> = {}) =>
  ofGithub(event, githubExample(event, action, changes).payload);

describe("a delivery of GitHub", () => {
  test("tells of its pull request in each event that has one, and in no other", () => {
    const telling = GITHUB_EXAMPLES.filter(({ event, payload }) => ofGithub(event, payload) !== null);
    expect([...new Set(telling.map(({ event }) => event))].sort()).toEqual([
      ...["pull_request", "pull_request_review", "pull_request_review_comment"],
    ]);
    const silent = GITHUB_EXAMPLES.filter(
      ({ event, payload }) =>
        event.startsWith("pull_request") && !telling.some((each) => each.payload === payload),
    );
    expect([...new Set(silent.map(({ event }) => event))]).toEqual(["pull_request_review_thread"]);
  });

  test.each([
    ["pull_request", "opened", "opened"],
    ["pull_request", "synchronize", "code_push"],
    ["pull_request", "closed", "pr_action"],
    ["pull_request", "labeled", undefined],
    ["pull_request_review", "submitted", undefined],
    ["pull_request_review", "dismissed", undefined],
    ["pull_request_review_comment", "created", "review_comment"],
    ["pull_request_review_comment", "deleted", undefined],
  ])("%s, %s, is %s", (event, action, interaction) => {
    const found = told(event, action);
    expect(found?.act?.interaction).toBe(interaction);
    expect(found?.snapshot.updatedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  });

  test("tells of a comment on a pull request, which comes as one on an issue", () => {
    const onIssue = githubExample("issue_comment", "created").payload;
    expect(ofGithub("issue_comment", onIssue)).toBeNull();
    const html_url = "https://github.com/acme/shop/pull/1";
    const issue = { html_url, number: 1, pull_request: { html_url, merged_at: "2026-01-01T00:00:00Z" } };
    expect(told("issue_comment", "created", { issue })).toMatchObject({
      ...{ url: html_url, number: 1 },
      act: { interaction: "comment", isPerson: true },
      snapshot: { state: "merged", mergedAt: "2026-01-01T00:00:00.000Z", additions: null },
    });
  });

  test("tells how the pull request is", () => {
    expect(told("pull_request", "opened")).toMatchObject({
      provider: "github",
      repository: "Codertocat/Hello-World",
      number: 2,
      url: "https://github.com/Codertocat/Hello-World/pull/2",
      snapshot: {
        ...{ title: "Update the README with new information.", author: "Codertocat", state: "open" },
        ...{ additions: 1, deletions: 1, changedFiles: 1, commits: 1, mergedAt: null, closedAt: null },
      },
    });
    const state = (changes: object) =>
      told("pull_request", "closed", { pull_request: changes })?.snapshot.state;
    expect(state({ state: "closed", merged_at: null })).toBe("closed");
    expect(state({ state: "closed", merged_at: "2026-01-01T00:00:00Z" })).toBe("merged");
    expect(state({ state: "open", draft: true, merged_at: null })).toBe("draft");
  });

  test("tells of a review by somebody else alone: the author's own is a reply to a comment", () => {
    expect(told("pull_request_review", "submitted", withReviewer())?.act?.interaction).toBe(
      "review_commented",
    );
  });

  test("tells each push from the others, also one back to an earlier commit", () => {
    const push = (before: string, after: string) =>
      told("pull_request", "synchronize", { before, after })?.act?.key;
    expect(new Set([push("a", "b"), push("b", "a"), push("a", "b")]).size).toBe(2);
  });

  test("tells of a person where neither a bot nor an app has done it", () => {
    const isPerson = (changes: Record<string, unknown>) =>
      told("pull_request_review", "submitted", withReviewer(changes))?.act?.isPerson;
    expect(isPerson({ sender: { type: "User" } })).toBe(true);
    expect(isPerson({ sender: { type: "Bot" } })).toBe(false);
    expect(isPerson({ sender: { type: "User" }, review: { performed_via_github_app: { id: 1 } } })).toBe(
      false,
    );
  });

  test("tells of the review that was dismissed by the key of its submission", () => {
    const review = { id: 99, user: { login: "reviewer" } };
    const { key } = told("pull_request_review", "submitted", { review })?.act ?? {};
    expect(told("pull_request_review", "dismissed", { review })).toMatchObject({
      act: null,
      withdrawal: { key },
    });
  });
});

const withReviewer = (changes: { review?: object } & Record<string, unknown> = {}) => ({
  ...changes,
  review: { user: { login: "reviewer" }, ...changes.review },
});

/** As GitLab documents it, cut down to what is read. */
const mergeRequest = (changes: object = {}) => ({
  object_kind: "merge_request",
  user: { username: "ann" },
  project: { path_with_namespace: "acme/shop", web_url: "https://gitlab.example/acme/shop" },
  object_attributes: {
    iid: 4,
    title: "Mend it",
    state: "opened",
    url: "https://gitlab.example/acme/shop/-/merge_requests/4",
    created_at: "2026-01-01 10:00:00 UTC",
    updated_at: "2026-01-01T10:05:00+00:00",
    ...changes,
  },
});

describe("a delivery of GitLab", () => {
  test.each([
    [{ action: "open" }, "opened"],
    [{ action: "update", oldrev: "abc", last_commit: { id: "def" } }, "code_push"],
    [{ action: "update" }, undefined],
    [{ action: "approved" }, "review_approved"],
    [{ action: "merge", state: "merged" }, "pr_action"],
  ])("with %j tells of %s", (changes, interaction) => {
    const found = ofGitlab(mergeRequest(changes));
    expect(found).toMatchObject({
      ...{ provider: "gitlab", repository: "acme/shop", number: 4 },
      snapshot: { openedAt: "2026-01-01T10:00:00.000Z", updatedAt: "2026-01-01T10:05:00.000Z" },
    });
    expect(found?.act?.interaction).toBe(interaction);
  });

  test("tells of a comment on a merge request, and not of one by the system or of one on an issue", () => {
    const { object_attributes, ...rest } = mergeRequest();
    const note = (attributes: object, subject: object = { merge_request: object_attributes }) =>
      ofGitlab({
        ...{ ...rest, object_kind: "note" },
        object_attributes: { id: 5, created_at: "2026-01-01 10:06:00 UTC", ...attributes },
        ...subject,
      });
    expect(note({})?.act).toMatchObject({ interaction: "comment", at: "2026-01-01T10:06:00.000Z" });
    expect(note({ type: "DiffNote" })?.act?.interaction).toBe("review_comment");
    expect(note({ system: true })?.act).toBeNull();
    expect(note({}, { issue: { iid: 1 } })).toBeNull();
    const { url: _, ...withoutUrl } = object_attributes;
    expect(note({}, { merge_request: withoutUrl })?.url).toBe(object_attributes.url);
  });

  test("tells of no person where an access token has done it", () => {
    const by = (username: string) =>
      ofGitlab({ ...mergeRequest({ action: "open" }), user: { username } })?.act?.isPerson;
    const bots = [by("project_12_bot_3fa"), by("group_3_bot"), by("service_account_group_9_a")];
    expect([by("ann"), ...bots]).toEqual([true, false, false, false]);
  });
});

test("an approval of GitLab is withdrawn by the same person", () => {
  const { key } = ofGitlab(mergeRequest({ action: "approval" }))?.act ?? {};
  expect(ofGitlab(mergeRequest({ action: "unapproved" }))).toMatchObject({ act: null, withdrawal: { key } });
});

test("a long address of GitLab is not cut", () => {
  const url = `https://gitlab.example/${"group/".repeat(60)}shop/-/merge_requests/1234`;
  expect(ofGitlab(mergeRequest({ url }))?.url).toBe(url);
  const tooLong = `https://gitlab.example/${"g".repeat(3_000)}/-/merge_requests/1`;
  expect(ofGitlab(mergeRequest({ url: tooLong }))).toBeNull();
});

test("only a webhook with the signatures of a forge tells of its pull requests", () => {
  const { payload } = githubExample("pull_request", "opened");
  const read = (provider: "github" | "gitlab" | "slack" | undefined, given: unknown) =>
    readPullRequestEvent({ provider, event: "pull_request", payload: given }, NOW);
  const wrong = [read(undefined, payload), read("slack", payload), read("gitlab", payload)];
  expect([...wrong, read("github", mergeRequest())]).toEqual([null, null, null, null]);
});

test.each([
  ["a time in the far future", { updated_at: "2026-11-29T12:00:00Z" }],
  ["a time beyond all years", { updated_at: "+275760-01-01T00:00:00Z" }],
  ["no number", { number: "4" }],
  ["a number below zero", { number: -1 }],
  ["no address", { html_url: "javascript:alert(1)" }],
  ["no time", { updated_at: "whenever" }],
])("a payload with %s tells nothing", (_, changes) => {
  expect(told("pull_request", "opened", { pull_request: changes })).toBeNull();
});

test("what is told can be stored, however long it was", () => {
  const found = told("pull_request", "opened", { pull_request: { title: `a\0${"b".repeat(10_000)}\ud800` } });
  expect(found?.snapshot.title).toMatch(/^a\ufffdb{254}$/);
});
