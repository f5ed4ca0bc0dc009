import { describe, expect, test } from "vitest";
import { compileEvent } from "../../../src/definitions/events/compile-event.ts";
import { GITHUB_EVENTS } from "../../../src/definitions/events/github-events.ts";
import { mentionsIn } from "../../../src/definitions/filters/mentions.ts";
import { readSchema } from "../../../src/definitions/loading/validate.ts";
import { GITHUB_EXAMPLES, type GithubExample, githubExample } from "../../given/github.ts";

/** A delivery with what is known beside its body. */
type Delivery = GithubExample & { authors?: string[] };

const matches = (event: string, delivery: GithubExample, filter: Record<string, unknown> = {}) =>
  compileEvent({ provider: "github", event, filter }).matches(delivery);

/** The events that a delivery fires, without a filter. */
const firedBy = (delivery: GithubExample) =>
  Object.keys(GITHUB_EVENTS).filter((event) => matches(event, delivery));

/** The names of events that the published schema allows. */
function eventsOfSchema(): string[] {
  const schema = JSON.parse(readSchema("v1alpha1/automation.schema.json"));
  const rules: {
    if?: { properties?: { provider?: { const?: string } } };
    then?: { properties?: { event?: { enum?: string[] } } };
  }[] = schema.$defs.trigger.allOf;
  return rules.flatMap(({ if: condition, then }) =>
    condition?.properties?.provider?.const === "github" ? (then?.properties?.event?.enum ?? []) : [],
  );
}

test("every event of the format is known, and no other", () => {
  expect(Object.keys(GITHUB_EVENTS).sort()).toEqual(eventsOfSchema().sort());
});

describe("a recorded delivery of GitHub", () => {
  test.each<[string, string | undefined, object, string[]]>([
    ["push", undefined, { ref: "refs/heads/main", deleted: false }, ["push"]],
    ["push", undefined, { deleted: true }, []],
    ["issues", "opened", { issue: { body: "It is broken." } }, ["issue_created"]],
    ["issues", "opened", { issue: { body: "See this, @octocat." } }, ["issue_created", "issue_mentioned"]],
    ["issues", "labeled", {}, ["issue_labeled"]],
    ["issues", "assigned", {}, ["issue_assigned"]],
    ["issues", "edited", { issue: { body: "@octocat" } }, []],
    ["issue_comment", "created", { comment: { body: "cc @octocat" } }, ["issue_mentioned"]],
    [
      "issue_comment",
      "created",
      { comment: { body: "cc @octocat" }, issue: { pull_request: {} } },
      ["pull_request_mentioned"],
    ],
    ["issue_comment", "created", { comment: { body: "none" }, issue: { body: "@octocat" } }, []],
    ["issue_comment", "edited", { comment: { body: "@octocat" } }, ["issue_mentioned"]],
    ["issue_comment", "edited", { comment: { body: "@octocat" }, changes: { body: undefined } }, []],
    ["pull_request", "opened", {}, ["pull_request_opened"]],
    [
      "pull_request",
      "opened",
      { pull_request: { body: "@octocat" } },
      ["pull_request_opened", "pull_request_mentioned"],
    ],
    ["pull_request", "ready_for_review", {}, ["pull_request_ready"]],
    ["pull_request", "closed", { pull_request: { merged: false } }, ["pull_request_closed"]],
    ["pull_request", "closed", { pull_request: { merged: true } }, ["pull_request_merged"]],
    ["pull_request", "labeled", {}, ["pull_request_labeled"]],
    ["pull_request", "synchronize", {}, ["pull_request_synchronized"]],
    ["pull_request", "reopened", {}, ["pull_request_reopened"]],
    ["pull_request", "assigned", {}, ["pull_request_assigned"]],
    ["pull_request", "review_requested", {}, ["pull_request_review_requested"]],
    ["pull_request_review", "submitted", { review: { body: null } }, ["pull_request_review_submitted"]],
    [
      "pull_request_review",
      "submitted",
      { review: { body: "@octocat" } },
      ["pull_request_mentioned", "pull_request_review_submitted"],
    ],
    ["pull_request_review_comment", "created", { comment: { body: "@octocat" } }, ["pull_request_mentioned"]],
    ["check_suite", "completed", {}, ["check_suite_completed"]],
    ["check_suite", "rerequested", {}, ["check_suite_rerequested"]],
    ["check_run", "rerequested", {}, ["check_run_rerequested"]],
    ["workflow_run", "completed", {}, ["workflow_run_completed"]],
    ["workflow_run", "requested", {}, []],
  ])("of %s %s with %j fires %j", (event, action, changes, fired) => {
    expect(firedBy(githubExample(event, action, { ...changes }))).toEqual(fired);
  });

  test("of anything else fires nothing, and none breaks the matching", () => {
    const known = new Set(
      Object.values(GITHUB_EVENTS).flatMap(({ from }) => from.map(({ header }) => header)),
    );
    const others = GITHUB_EXAMPLES.filter(({ event }) => !known.has(event));
    expect(others.length).toBeGreaterThan(100);
    for (const delivery of others) expect(firedBy(delivery)).toEqual([]);
    for (const { payload } of GITHUB_EXAMPLES) {
      for (const event of known) expect(() => firedBy({ event, payload })).not.toThrow();
    }
  });

  test.each([null, 7, "text", [], {}, { action: "opened" }, { issue: 1, repository: [], commits: {} }])(
    "that is %j fits no filter",
    (payload) => {
      for (const [name, { from, fields }] of Object.entries(GITHUB_EVENTS)) {
        for (const key of Object.keys(fields)) {
          const delivery = { event: from[0]?.header ?? "", payload } as unknown as GithubExample;
          expect(matches(name, delivery, { [key]: ["x"] })).toBe(false);
        }
      }
    },
  );
});

describe("a filter of a trigger of GitHub", () => {
  const opened = githubExample("pull_request", "opened", {
    repository: { full_name: "Acme/Shop" },
    pull_request: {
      number: 7,
      base: { ref: "release/2.0" },
      labels: [{ name: "bug" }, { name: "Urgent" }],
      assignees: [],
      user: { login: "Ann" },
    },
  });
  const review = githubExample("pull_request_review", "submitted", {
    review: { state: "approved", body: "@acme/web and @bob-2." },
  });
  const requested = githubExample("pull_request", "review_requested", {
    requested_reviewer: undefined,
    requested_team: { slug: "web" },
    organization: { login: "acme" },
  });
  const pushed = githubExample("push", undefined, {
    ref: "refs/heads/main",
    deleted: false,
    commits: [
      { added: ["docs/a.md"], modified: [], removed: [] },
      { added: [], modified: ["src/b/c.ts"], removed: [] },
    ],
  });
  const hotfix = githubExample("push", undefined, { ref: "refs/heads/main/hotfix", deleted: false });
  const tagged = githubExample("push", undefined, { ref: "refs/tags/v1", deleted: false });
  const labeled = githubExample("issues", "labeled", {
    label: { name: "go" },
    issue: { labels: [{ name: "go" }, { name: "old" }] },
  });
  const suite = githubExample("check_suite", "completed", {
    check_suite: { conclusion: "failure", head_branch: "main" },
  });
  const workflow = githubExample("workflow_run", "completed", {
    workflow_run: {
      ...{ name: "CI", conclusion: "failure", head_branch: "main", actor: { login: "bob" } },
      pull_requests: [{ number: 7 }],
    },
  });
  const ofAnn: Delivery = { ...workflow, authors: ["ann"] };

  test.each<[string, Delivery, Record<string, unknown>, boolean]>([
    ["pull_request_opened", opened, {}, true],
    [
      "pull_request_opened",
      opened,
      { repos: null, labels: {}, authors: [], assignees: { in: null, not_in: [] } },
      true,
    ],
    ["pull_request_opened", opened, { repos: ["acme/shop"] }, true],
    ["pull_request_opened", opened, { repos: ["acme/other"] }, false],
    ["pull_request_opened", opened, { repos: { not_in: ["ACME/SHOP"] } }, false],
    ["pull_request_opened", opened, { labels: ["urgent"] }, true],
    ["pull_request_opened", opened, { labels: { in: ["bug"], not_in: ["urgent"] } }, false],
    ["pull_request_opened", opened, { labels: { not_in: ["wontfix"] } }, true],
    ["pull_request_opened", opened, { assignees: ["ann"] }, false],
    ["pull_request_opened", opened, { assignees: { not_in: ["ann"] } }, true],
    [
      "pull_request_opened",
      opened,
      { authors: ["ann"], base_branches: ["release/*"], pr_numbers: [7, 8] },
      true,
    ],
    ["pull_request_opened", opened, { baseBranches: ["main"] }, false],
    ["pull_request_opened", opened, { prNumbers: [7] }, true],
    ["pull_request_opened", opened, { pr_numbers: ["7"] }, false],
    ["pull_request_opened", opened, { paths: ["src"] }, false],
    ["pull_request_opened", opened, { paths: { not_in: ["src"] } }, false],
    ["pull_request_opened", opened, { paths: [] }, true],
    ["pull_request_review_submitted", review, { review_states: ["APPROVED"], mentioned: ["bob-2"] }, true],
    ["pull_request_review_submitted", review, { mentioned: ["acme/web"] }, true],
    ["pull_request_review_submitted", review, { mentioned: ["web"] }, false],
    ["pull_request_review_requested", requested, { reviewer_teams: ["web"] }, true],
    ["pull_request_review_requested", requested, { reviewer_teams: ["Acme/Web"] }, true],
    ["pull_request_review_requested", requested, { reviewers: ["octocat"] }, false],
    ["push", pushed, { branches: ["main"], paths: ["docs"] }, true],
    ["push", pushed, { branches: ["*"] }, true],
    ["push", hotfix, { branches: ["main"] }, false],
    ["push", hotfix, { branches: { not_in: ["main"] } }, true],
    ["push", hotfix, { branches: ["*"] }, false],
    ["push", hotfix, { branches: ["main/"] }, false],
    ["push", hotfix, { branches: ["main/*", "x"] }, true],
    ["push", hotfix, { branches: ["**"] }, true],
    ["push", hotfix, { branches: ["m*/**/hot*"] }, true],
    ["push", pushed, { paths: ["docs/"] }, true],
    ["push", pushed, { paths: ["src/b"] }, true],
    ["push", pushed, { paths: ["s*"] }, true],
    ["push", pushed, { paths: ["src/*.ts"] }, false],
    ["push", pushed, { paths: ["src/**/*.ts"] }, true],
    ["push", pushed, { paths: ["doc"] }, false],
    ["push", pushed, { paths: { not_in: ["docs/**"] } }, false],
    [
      "push",
      { ...pushed, payload: { ...pushed.payload, commits: undefined } },
      { paths: { not_in: ["x"] } },
      false,
    ],
    ["push", tagged, { branches: ["v1"] }, false],
    ["push", tagged, {}, true],
    ["issue_labeled", labeled, { labels: ["go"] }, true],
    ["issue_labeled", labeled, { labels: ["old"] }, false],
    ["check_suite_completed", suite, { conclusions: ["failure"], branches: ["main"] }, true],
    ["check_suite_completed", suite, { conclusions: ["success"] }, false],
    ["check_suite_completed", suite, { authors: ["ann"] }, false],
    [
      "workflow_run_completed",
      ofAnn,
      { workflows: ["CI"], authors: ["Ann"], conclusions: { not_in: ["success"] } },
      true,
    ],
    ["workflow_run_completed", ofAnn, { authors: ["bob"] }, false],
    ["workflow_run_completed", workflow, { authors: ["bob"] }, false],
    ["workflow_run_completed", workflow, { authors: { not_in: ["ann"] } }, false],
    ["workflow_run_completed", workflow, { workflows: ["ci"] }, false],
  ])("%s against %# with %j", (event, delivery, filter, expected) => {
    const trigger = compileEvent({ provider: "github", event, filter });
    expect(trigger.matches(delivery)).toBe(expected);
    expect(trigger.explain(delivery).every(({ passed }) => passed)).toBe(expected);
  });

  test.each<[string, string[]]>([
    ["@ann", ["ann"]],
    ["ping @ann, (@bob) and @acme/web-team!", ["ann", "bob", "acme/web-team"]],
    ["mail ann@example.com, path a/@types/node, `@code`\n```\n@block\n```\n@@x @-a @a-", []],
    ["", []],
  ])("knows who is mentioned in %j", (body, who) => expect(mentionsIn(body)).toEqual(who));

  test("reads what takes long once, however many triggers ask", () => {
    let reads = 0;
    const comment = {
      get body() {
        reads += 1;
        return `@ann ${"@a".repeat(40_000)}${"`".repeat(20_001)}@${"a-".repeat(40_000)}`;
      },
    };
    const delivery = { event: "issue_comment", payload: { action: "created", issue: {}, comment } };
    const fits = () => matches("issue_mentioned", delivery, { mentioned: ["ann"] });
    expect(Array.from({ length: 50 }, fits)).toEqual(Array.from({ length: 50 }, () => true));
    expect(reads).toBe(1);
  });

  describe("of a push without commits, such as a forced one or one of a new branch,", () => {
    const push = (head_commit: unknown, ref = "refs/heads/new") =>
      githubExample("push", undefined, { ref, created: true, forced: true, commits: [], head_commit });
    const head = { id: "a1", added: ["docs/new.md"], removed: [], modified: ["src/main.ts"] };

    test.each([
      ["has the paths of its newest commit", push(head), { paths: ["docs/**"] }, true],
      ["has no other paths", push(head), { paths: ["test/**"] }, false],
      ["has them for a filter that excludes", push(head), { paths: { not_in: ["src/**"] } }, false],
      ["has none where it is a tag's", push(head, "refs/tags/v1"), { paths: ["docs/**"] }, false],
      ["has none that are known without that commit", push(null), { paths: ["docs/**"] }, false],
      ["has none that are known to be others either", push(null), { paths: { not_in: ["docs/**"] } }, false],
    ])("%s", (_, delivery, filter, expected) => {
      expect(matches("push", delivery, filter)).toBe(expected);
    });

    test("is explained where its paths are not known", () => {
      const trigger = compileEvent({ provider: "github", event: "push", filter: { paths: ["docs/**"] } });
      expect(trigger.explain(push(null)).at(-1)?.found).toContain("unknown which paths changed");
    });
  });

  test("looks at each character of many paths as often as its patterns ask for, and no more", () => {
    const added = Array.from({ length: 60 }, (_, n) => `${"a/".repeat(2_000)}${n}`);
    const delivery = githubExample("push", undefined, { deleted: false, commits: [{ added }] });
    const paths = ["**/a/**/a/**/b", "x", ...Array.from({ length: 1_000 }, (_, n) => `a/b${n}`)];
    let steps = 0;
    const trigger = compileEvent({ provider: "github", event: "push", filter: { paths } });
    expect(trigger.matches(delivery, (done) => (steps += done))).toBe(false);
    expect(steps).toBeLessThan(added.join("").length * "**/a/**/a/**/b".length);
  });
});

const comment = (user: object) =>
  githubExample("issue_comment", "created", { comment: { body: "cc @octocat", user } });

describe("a mention", () => {
  test.each([
    { type: "Bot", login: "millrace-agent[bot]" },
    { type: "User", login: "dependabot[bot]" },
    { type: "Bot", login: "plain" },
  ])("that a bot has written (%j) starts nothing", (user) => {
    expect(firedBy(comment(user))).toEqual([]);
  });

  test("of a bot's words on a pull request starts nothing but what the review itself starts", () => {
    const user = { type: "Bot", login: "reviewer[bot]" };
    const review = githubExample("pull_request_review", "submitted", { review: { body: "@octocat", user } });
    expect(firedBy(review)).toEqual(["pull_request_review_submitted"]);
  });

  const edited = (
    from: string | null | undefined,
    body: string,
    sender: object = { login: "Eve", type: "User" },
  ) =>
    githubExample("issue_comment", "edited", {
      changes: from === undefined ? { body: undefined, title: { from: "before" } } : { body: { from } },
      comment: { body, user: { login: "Ann", type: "User" } },
      sender,
    });

  test.each<[string, GithubExample, string[]]>([
    ["was there before", edited("cc @octocat", "cc @OctoCat, please"), []],
    ["is new", edited("cc you", "cc @octocat"), ["issue_mentioned"]],
    ["is new in a text that was empty", edited(null, "cc @octocat"), ["issue_mentioned"]],
    ["is new beside one that was there", edited("cc @ann", "cc @ann and @octocat"), ["issue_mentioned"]],
    ["stands in a text that was not edited", edited(undefined, "cc @octocat"), []],
    ["was code before", edited("`@octocat`", "@octocat"), ["issue_mentioned"]],
    ["is new and a bot's", edited("cc you", "cc @octocat", { login: "x[bot]", type: "Bot" }), []],
  ])("in an edit that %s", (_, delivery, fired) => {
    expect(firedBy(delivery)).toEqual(fired);
  });

  test.each<[string, string, string]>([
    ["issues", "issue", "issue_mentioned"],
    ["pull_request", "pull_request", "pull_request_mentioned"],
    ["pull_request_review", "review", "pull_request_mentioned"],
    ["pull_request_review_comment", "comment", "pull_request_mentioned"],
  ])("that an edit of %s adds starts what a new one does", (event, part, fired) => {
    const payload = (from: string) => ({
      action: "edited",
      changes: { body: { from } },
      [part]: { body: "@octocat" },
      ...(part === "issue" ? {} : { pull_request: { body: "@octocat" } }),
      sender: { login: "Ann", type: "User" },
    });
    expect(firedBy({ event, payload: payload("nobody") })).toEqual([fired]);
    expect(firedBy({ event, payload: payload("@octocat") })).toEqual([]);
  });

  test("that an edit adds is filtered by who has edited, and by whom it adds", () => {
    const delivery = edited("cc @bob", "cc @bob and @octocat");
    expect(matches("issue_mentioned", delivery, { authors: ["eve"], mentioned: ["octocat"] })).toBe(true);
    expect(matches("issue_mentioned", delivery, { authors: ["ann"] })).toBe(false);
    expect(matches("issue_mentioned", delivery, { mentioned: ["bob"] })).toBe(false);
  });

  test("is filtered by who has written it", () => {
    const delivery = comment({ type: "User", login: "Ann" });
    expect(matches("issue_mentioned", delivery, { authors: ["ann"] })).toBe(true);
    expect(matches("issue_mentioned", delivery, { authors: ["bob"] })).toBe(false);
    expect(matches("issue_mentioned", delivery, { authors: { not_in: ["ann"] } })).toBe(false);
  });
});
