import { describe, expect, test } from "vitest";
import { eventCheckout } from "../../../src/runs/start/event-checkout.ts";
import { githubExample } from "../../given/github.ts";

const SHA = "a".repeat(40);
const repository = { full_name: "acme/shop" };

describe("an event of GitHub is about", () => {
  test("the head of its pull request, also of one from a fork", () => {
    expect(eventCheckout(githubExample("pull_request", "opened").payload)).toMatchObject({
      repository: expect.stringContaining("/"),
      ref: expect.stringMatching(/^refs\/pull\/\d+\/head$/),
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      branch: expect.any(String),
    });
  });

  test.each([
    ["of a fork", { full_name: "stranger/shop" }],
    ["of a fork that is gone", null],
  ])("the head %s is on a branch of the number, whatever the fork calls it", (_, repo) => {
    const payload = { repository, pull_request: { number: 7, head: { ref: "main", sha: SHA, repo } } };
    expect(eventCheckout(payload)).toEqual({
      ...{ repository: "acme/shop", ref: "refs/pull/7/head", commit: SHA, branch: "pull/7", fromFork: true },
    });
  });

  test("the head in the repository itself is on its branch", () => {
    const head = { ref: "fix", sha: SHA, repo: { full_name: "Acme/Shop" } };
    expect(eventCheckout({ repository, pull_request: { number: 7, head } })).toEqual({
      ...{ repository: "acme/shop", ref: "refs/pull/7/head", commit: SHA, branch: "fix" },
    });
  });

  test("the pull request that a comment was written on", () => {
    const payload = { repository, issue: { number: 7, pull_request: {} }, comment: { body: "@bot" } };
    expect(eventCheckout(payload)).toEqual({
      repository: "acme/shop",
      ref: "refs/pull/7/head",
      branch: "pull/7",
    });
  });

  test("no commit, when the issue is not a pull request", () => {
    expect(eventCheckout({ repository, issue: { number: 7 } })).toBeUndefined();
  });

  test("the commit that was pushed to a branch or as a tag, and none that was deleted", () => {
    const push = (ref: string, more = {}) => eventCheckout({ repository, ref, after: SHA, ...more });
    expect(push("refs/heads/a/b")).toEqual({
      ...{ repository: "acme/shop", ref: "refs/heads/a/b", commit: SHA, branch: "a/b" },
    });
    expect(push("refs/tags/v1")).toEqual({ repository: "acme/shop", ref: "refs/tags/v1", commit: SHA });
    expect(push("refs/heads/a", { deleted: true })).toBeUndefined();
    expect(push("refs/heads/a", { after: "0".repeat(40) })).toBeUndefined();
  });

  test("what a workflow has run on", () => {
    const run = { head_sha: SHA, head_branch: "main", head_repository: repository, pull_requests: [] };
    expect(eventCheckout({ repository, workflow_run: run })).toMatchObject({
      ref: "refs/heads/main",
      commit: SHA,
    });
    const side = { repo: { id: 1 } };
    const ofPull = (head: object) => ({ ...run, pull_requests: [{ number: 3, head, base: side }] });
    expect(eventCheckout({ repository, workflow_run: ofPull(side) })).toEqual({
      ...{ repository: "acme/shop", ref: "refs/pull/3/head", commit: SHA, branch: "main" },
    });
    expect(eventCheckout({ repository, check_suite: ofPull({ repo: { id: 2 } }) })).toMatchObject({
      ...{ branch: "pull/3", fromFork: true },
    });
  });

  test("the default branch, when a workflow has run on the branch of a fork", () => {
    const workflow_run = {
      head_sha: SHA,
      head_branch: "main",
      head_repository: { full_name: "stranger/shop" },
    };
    const inShop = { repository: { ...repository, default_branch: "trunk" }, workflow_run };
    expect(eventCheckout(inShop)).toEqual({
      ...{ repository: "acme/shop", ref: "refs/heads/trunk", fromFork: true },
    });
  });
});

test("an event of GitLab is about the head of its merge request", () => {
  const project = { path_with_namespace: "acme/inner/shop" };
  const ids = { source_project_id: 1, target_project_id: 1 };
  const request = { iid: 5, source_branch: "fix", last_commit: { id: SHA }, ...ids };
  const expected = {
    repository: "acme/inner/shop",
    ref: "refs/merge-requests/5/head",
    commit: SHA,
    branch: "fix",
  };
  expect(eventCheckout({ project, object_kind: "merge_request", object_attributes: request })).toEqual(
    expected,
  );
  expect(eventCheckout({ project, object_kind: "note", merge_request: request })).toEqual(expected);
  const ofFork = { ...request, source_project_id: 2 };
  expect(eventCheckout({ project, object_kind: "merge_request", object_attributes: ofFork })).toEqual({
    ...{ ...expected, branch: "merge-requests/5", fromFork: true },
  });
});

describe("a name from a stranger is never used as an option of git or as another path", () => {
  test.each([["--upload-pack=x"], ["a..b"], ["../x"], ["a b"], ["a:b"], ["a.lock"], ["@{1}"], ["a\nb"]])(
    "the branch %j gets another name",
    (ref) => {
      const payload = { repository, pull_request: { number: 7, head: { ref, sha: SHA, repo: repository } } };
      expect(eventCheckout(payload)?.branch).toBe("pull/7");
      expect(eventCheckout({ repository, ref: `refs/heads/${ref}`, after: SHA })).toBeUndefined();
    },
  );

  test.each([[1.5], ["7"], [-1], [Number.MAX_VALUE], ["7/../../heads/main"]])(
    "the number %j is ignored",
    (number) => {
      expect(eventCheckout({ repository, pull_request: { number, head: {} } })).toBeUndefined();
    },
  );

  test.each([["acme"], ["acme/shop --x"], ["-x/shop"], ["acme/../.."], [{}], [undefined]])(
    "the repository %j is ignored",
    (name) => {
      const payload = { repository: { full_name: name }, pull_request: { number: 7 } };
      expect(eventCheckout(payload)).toBeUndefined();
    },
  );
});
