import { describe, expect, test } from "vitest";
import type { EventProviderName } from "../../../src/definitions/definition.ts";
import { compileEvent } from "../../../src/definitions/events/compile-event.ts";
import { EVENT_PROVIDERS } from "../../../src/definitions/events/event-provider.ts";
import { FACTORY, load, signatureWebhook } from "../../given/definition.ts";
import { gitlabNote, jiraUpdate, linear, slack } from "../../given/sender.ts";

const matches = (provider: EventProviderName, event: string, payload: unknown, filter = {}) =>
  compileEvent({ provider, event, filter }).matches({ event: null, payload });

const firedBy = (provider: EventProviderName, payload: unknown) =>
  Object.keys(EVENT_PROVIDERS[provider].events).filter((event) => matches(provider, event, payload));

const mergeRequest = {
  object_kind: "merge_request",
  project: { path_with_namespace: "acme/tools/shop" },
  object_attributes: { action: "open", target_branch: "main" },
};
/** As Slack marks what was edited. */
const EDITED = { user: "U1", ts: "1706785427.000000" };
const push = { object_kind: "push", after: "da1560886d", project: { path_with_namespace: "acme/shop" } };

describe("a delivery", () => {
  test.each<[EventProviderName, string, unknown, string[]]>([
    ["gitlab", "merge request", mergeRequest, ["merge_request"]],
    ["gitlab", "push", push, ["push"]],
    ["gitlab", "deleted branch", { ...push, after: "0".repeat(40) }, []],
    ["gitlab", "tag", { ...push, object_kind: "tag_push" }, []],
    ["gitlab", "note that mentions someone", gitlabNote("cc @ann"), ["bot_mentioned"]],
    ["gitlab", "note that mentions nobody", gitlabNote("ann@example.org"), []],
    ["gitlab", "note of a bot", gitlabNote("cc @ann", "project_7_bot_a1b2"), []],
    ["gitlab", "note of a service account", gitlabNote("cc @ann", "service_account_group_7_x"), []],
    [
      "gitlab",
      "note that says that it is new",
      gitlabNote("cc @ann", "bob", { action: "create" }),
      ["bot_mentioned"],
    ],
    ["gitlab", "edited note", gitlabNote("cc @ann", "bob", { action: "update" }), []],
    [
      "gitlab",
      "edited note on a merge request",
      { ...gitlabNote("cc @ann", "bob", { action: "update" }), merge_request: { iid: 1 } },
      [],
    ],
    [
      "gitlab",
      "edited confidential note",
      {
        ...gitlabNote("cc @ann", "bob", { action: "update" }),
        event_type: "confidential_note",
        issue: { iid: 1 },
      },
      [],
    ],
    ["linear", "new issue", linear("Issue", "create"), ["issue_created"]],
    [
      "linear",
      "added label",
      linear("Issue", "update", { labelIds: ["l1", "l2"] }, { labelIds: ["l1"] }),
      ["issue_labeled"],
    ],
    ["linear", "removed label", linear("Issue", "update", { labelIds: [] }, { labelIds: ["l1"] }), []],
    [
      "linear",
      "new assignee",
      linear("Issue", "update", { assigneeId: "u1" }, { assigneeId: null }),
      ["issue_assigned"],
    ],
    ["linear", "no assignee", linear("Issue", "update", { assigneeId: null }, { assigneeId: "u1" }), []],
    ["linear", "new state", linear("Issue", "update", {}, { stateId: "s0" }), ["issue_state_changed"]],
    ["linear", "new title", linear("Issue", "update", {}, { title: "before" }), []],
    ["linear", "comment", linear("Comment", "create"), ["comment_created"]],
    ["linear", "edited comment", linear("Comment", "update", { body: "new" }, { body: "old" }), []],
    ["linear", "deleted issue", linear("Issue", "remove"), []],
    [
      "linear",
      "agent session",
      { type: "AgentSessionEvent", action: "created", agentSession: {} },
      ["agent_session_created"],
    ],
    ["jira", "new issue", { webhookEvent: "jira:issue_created" }, ["issue_created"]],
    ["jira", "added label", jiraUpdate("labels", "old", "old new"), ["issue_labeled"]],
    ["jira", "removed label", jiraUpdate("labels", "old new", "old"), []],
    ["jira", "new status", jiraUpdate("status", "To Do", "Done"), ["status_changed"]],
    ["jira", "new summary", jiraUpdate("summary", "a", "b"), []],
    ["slack", "mention", slack({ type: "app_mention" }), ["app_mention"]],
    ["slack", "mention in an edited message", slack({ type: "app_mention", edited: EDITED }), []],
    [
      "slack",
      "message that says that it was edited",
      slack({ type: "message", channel_type: "channel", edited: EDITED }),
      [],
    ],
    ["slack", "mention by a bot", slack({ type: "app_mention", bot_id: "B1" }), []],
    ["slack", "message", slack({ type: "message", channel_type: "channel" }), ["message_posted"]],
    ["slack", "direct message", slack({ type: "message", channel_type: "im" }), ["message_dm", "message_im"]],
    [
      "slack",
      "message to several",
      slack({ type: "message", channel_type: "mpim" }),
      ["message_dm", "message_mpim"],
    ],
    ["slack", "message of a bot", slack({ type: "message", channel_type: "channel", bot_id: "B1" }), []],
    [
      "slack",
      "edited message",
      slack({ type: "message", channel_type: "channel", subtype: "message_changed" }),
      [],
    ],
    ["slack", "reaction", slack({ type: "reaction_added" }), ["reaction_added"]],
    ["slack", "new member", slack({ type: "member_joined_channel" }), ["member_joined_channel"]],
  ])("of %s with a %s fires the events that it reports", (provider, _, payload, fired) => {
    expect(firedBy(provider, payload)).toEqual(fired);
  });

  test.each<unknown>([
    null,
    1,
    "x",
    [],
    {},
    [{}],
    { event: null, type: "event_callback" },
    { changelog: { items: [null] } },
  ])("of any shape (%j) breaks nothing", (payload) => {
    for (const [provider, { events, describe: say }] of Object.entries(EVENT_PROVIDERS)) {
      expect(say({ event: null, payload })).toEqual(expect.any(String));
      for (const event of Object.keys(events)) {
        const filter = Object.fromEntries(
          Object.keys(events[event]?.fields ?? {}).map((key) => [key, { not_in: ["x"] }]),
        );
        const trigger = compileEvent({ provider: provider as "github", event, filter });
        expect(trigger.matches({ event: null, payload })).toBe(false);
        trigger.explain({ event: null, payload });
      }
    }
  });
});

const issue = linear(
  "Issue",
  "update",
  {
    team: { id: "t1", key: "ENG", name: "Engineering" },
    projectId: "p1",
    stateId: "s1",
    state: { id: "s1", name: "In Progress" },
    labels: [
      { id: "l1", name: "old" },
      { id: "l2", name: "Bug" },
    ],
    labelIds: ["l1", "l2"],
    assignee: { id: "u1", name: "Ann" },
    creatorId: "u2",
    descriptionData: '{"type":"suggestion_userMentions","attrs":{"id":"u3","label":"bob"}}',
  },
  { labelIds: ["l1"] },
);
const said = slack({
  type: "message",
  channel_type: "channel",
  channel: "C1",
  user: "U1",
  text: "Deploy FAILED again",
});

test.each<[EventProviderName, string, unknown, Record<string, unknown>, boolean]>([
  ["gitlab", "merge_request", mergeRequest, { repos: ["Acme/tools/shop"], actions: ["open"] }, true],
  ["gitlab", "merge_request", mergeRequest, { baseBranches: ["main"] }, true],
  ["gitlab", "merge_request", mergeRequest, { base_branches: { not_in: ["main"] } }, false],
  ["gitlab", "push", push, { repos: ["acme/other"] }, false],
  ["linear", "issue_labeled", issue, { teams: ["eng"], project_ids: ["p1"], states: ["in progress"] }, true],
  ["linear", "issue_labeled", issue, { labels: ["bug"], assignee_ids: ["u1"], creator_ids: ["u2"] }, true],
  ["linear", "issue_labeled", issue, { labels: ["old"] }, false],
  ["linear", "issue_labeled", issue, { mentioned_user_ids: ["u3"] }, true],
  ["linear", "issue_labeled", issue, { team_ids: { not_in: ["t1"] } }, false],
  [
    "jira",
    "issue_labeled",
    jiraUpdate("labels", "old", "old new"),
    { project_keys: ["SHOP"], labels: ["new"] },
    true,
  ],
  ["jira", "issue_labeled", jiraUpdate("labels", "old", "old new"), { labels: ["old"] }, false],
  ["jira", "status_changed", jiraUpdate("status", "a", "b"), { status_ids: ["3"] }, true],
  ["slack", "message_posted", said, { channels: ["C1"], user_ids: ["U1"], keywords: ["failed"] }, true],
  ["slack", "message_posted", said, { keywords: { not_in: ["again"] } }, false],
  [
    "slack",
    "reaction_added",
    slack({ type: "reaction_added", reaction: "eyes", item_user: "U2", item: { channel: "C1" } }),
    { emojis: [":eyes:"], itemUsers: ["U2"], channel_ids: ["C1"] },
    true,
  ],
])("%s.%s is tested against its filter (%#)", (provider, event, payload, filter, fires) => {
  expect(matches(provider, event, payload, filter)).toBe(fires);
});

const JIRA_WEBHOOK = `${signatureWebhook("custom", "S")}millrace: { scheme: { header: X-Hub-Signature, prefix: "sha256=" }, provider: jira }\n`;
const on = (provider: string, event: string, filter = "{}") =>
  `---\ntriggers:\n  - { provider: ${provider}, event: ${event}, filter: ${filter} }\n---\nDo it.\n`;
const codes = async (files: Record<string, string>) =>
  (await load({ ...FACTORY, ...files })).problems.map(({ severity, code }) => `${severity} ${code}`);

describe("a trigger that cannot fire is a warning with a code of its own:", () => {
  test.each([
    ["one of a provider without a webhook", { "automations/a.md": on("slack", "app_mention") }],
    ["one of Azure DevOps", { "automations/a.md": on("azure-devops", "any_event", "{ projects: [shop] }") }],
    ["one of Microsoft Teams", { "automations/a.md": on("teams", "any_event") }],
    [
      "an event that no webhook tells of",
      { "automations/a.md": on("jira", "agent_session_created"), "webhooks/jira.yaml": JIRA_WEBHOOK },
    ],
  ])("%s", async (_, files: Record<string, string>) => {
    expect(await codes(files)).toContain("warning FF_TRIGGER_NOT_FED");
  });

  test("a filter that asks for what no delivery says", async () => {
    const files = {
      "automations/a.md": on("slack", "reaction_added", "{ keywords: [x] }"),
      "webhooks/slack.yaml": signatureWebhook("slack", "S"),
    };
    expect(await codes(files)).toContain("warning FF_FILTER_NEVER_MATCHES");
  });

  test.each([
    [
      "slack",
      "message_posted",
      "{ channels: [help] }",
      '"help" never matches, because Slack sends the ids of channels',
    ],
    ["slack", "message_posted", "{ channels: ['#general'] }", "#general"],
    ["slack", "message_posted", "{ channel_ids: [general, C024BE91L] }", "general"],
    ["slack", "message_posted", "{ users: ['@dana'] }", "the ids of users, for example U012AB3CD"],
    ["slack", "message_posted", "{ user_ids: [dana@example.org] }", "dana@example.org"],
    ["slack", "message_posted", "{ user_ids: { not_in: [somebody] } }", '"somebody" excludes nothing'],
    ["slack", "reaction_added", "{ emojis: ['🎫'] }", "the names of emojis"],
    ["slack", "reaction_added", "{ emojis: [':ticket'] }", ":ticket"],
    ["slack", "reaction_added", "{ item_user_ids: [dana] }", "dana"],
    ["github", "push", "{ repos: [shop], branches: [refs/heads/main] }", "acme/shop"],
    ["github", "push", "{ paths: [./docs] }", "./docs"],
    ["github", "issue_mentioned", "{ mentioned: ['@octocat'] }", "names without @"],
    ["github", "issue_created", "{ authors: [octocat@example.org] }", "logins without @"],
    ["github", "pull_request_review_submitted", "{ review_states: [rejected] }", "changes_requested"],
    ["github", "workflow_run_completed", "{ conclusions: [failed] }", "failure"],
    ["gitlab", "merge_request", "{ repos: [shop] }", "acme/shop"],
    ["gitlab", "merge_request", "{ actions: [opened] }", "reopen"],
    ["linear", "comment_created", "{ mentioned_user_ids: [Dana] }", "UUIDs"],
    ["jira", "issue_created", "{ project_keys: [Web shop] }", "SHOP"],
    [
      "webhook",
      "received",
      "{ webhook_ids: [0d6f4b3e-0a0f-4c43-9c3e-6d6a3c8b9f10], payload: { data.status: [failed] } }",
      "did you mean nested keys, data: { status: … }?",
    ],
    [
      "webhook",
      "received",
      "{ webhook_ids: [0d6f4b3e-0a0f-4c43-9c3e-6d6a3c8b9f10], payload: { a: { b.c.d: [1] } } }",
      "b: { c: { d: … } }",
    ],
  ])("a filter of %s.%s whose value cannot occur: %s", async (provider, event, filter, told) => {
    const { problems } = await load({ ...FACTORY, "automations/a.md": on(provider, event, filter) });
    const found = problems.filter(({ code }) => code === "FF_FILTER_NEVER_MATCHES");
    expect(found.map(({ severity }) => severity)).toContain("warning");
    expect(found.map(({ message }) => message).join("\n")).toContain(told);
  });

  test.each([
    [
      "slack",
      "message_posted",
      "{ channels: [C024BE91L, c024be91l, G1], users: [U012AB3CD, W1], keywords: ['#general'] }",
    ],
    ["slack", "reaction_added", "{ emojis: [ticket, ':ticket:', 'thumbsup::skin-tone-2', größe] }"],
    [
      "github",
      "push",
      "{ repos: [acme/shop.js], branches: ['release/*', main], paths: ['**/*.ts', .github, docs/] }",
    ],
    ["github", "issue_mentioned", "{ mentioned: [octocat, acme/web, 'renovate[bot]'], authors: [ann_acme] }"],
    ["github", "pull_request_review_submitted", "{ review_states: [APPROVED] }"],
    ["gitlab", "merge_request", "{ repos: [acme/web/shop], actions: [open] }"],
    [
      "linear",
      "issue_created",
      "{ teams: [Web shop], mentioned_user_ids: [0d6f4b3e-0a0f-4c43-9c3e-6d6a3c8b9f10] }",
    ],
    [
      "webhook",
      "received",
      "{ webhook_ids: [0d6f4b3e-0a0f-4c43-9c3e-6d6a3c8b9f10], payload: { version: ['1.2.3'], 'a b. c': [1] } }",
    ],
  ])("but not a filter of %s.%s whose values can: %s", async (provider, event, filter) => {
    expect(await codes({ "automations/a.md": on(provider, event, filter) })).not.toContain(
      "warning FF_FILTER_NEVER_MATCHES",
    );
  });

  test.each([
    ["gitlab", "push", signatureWebhook("gitlab", "S")],
    ["linear", "issue_created", signatureWebhook("linear", "S")],
    ["slack", "app_mention", signatureWebhook("slack", "S")],
    ["jira", "issue_created", JIRA_WEBHOOK],
  ])("but not one of %s.%s with its webhook", async (provider, event, webhook) => {
    const files = { "automations/a.md": on(provider, event), "webhooks/w.yaml": webhook };
    expect(await codes(files)).not.toContain("warning FF_TRIGGER_NOT_FED");
  });

  test("a provider can be named only with a custom scheme", async () => {
    const files = { "webhooks/w.yaml": `${signatureWebhook("slack", "S")}millrace: { provider: jira }\n` };
    expect((await codes(files)).some((code) => code.startsWith("error"))).toBe(true);
  });
});
