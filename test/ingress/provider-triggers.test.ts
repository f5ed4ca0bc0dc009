import { describe, expect, test } from "vitest";
import type { Webhook } from "../../src/definitions/definition.ts";
import { newUuid } from "../../src/id.ts";
import { signDelivery } from "../../src/ingress/test-delivery.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationWith, FACTORY, signatureWebhook } from "../given/definition.ts";
import { gitlabNote, jiraUpdate, linear, post, SIGNING_SECRET, slack } from "../given/sender.ts";
import { serving } from "../given/serving.ts";

const on = (provider: string, event: string, filter = "{}") =>
  automationWith(`triggers: [{ provider: ${provider}, event: ${event}, filter: ${filter} }]\n`);
const JIRA_SCHEME = { header: "X-Hub-Signature", prefix: "sha256=" };

const stage = sharedByFile(() =>
  serving(
    {
      ...FACTORY,
      "webhooks/gitlab.yaml": signatureWebhook("gitlab", "HOOK_SECRET"),
      "webhooks/linear.yaml": signatureWebhook("linear", "HOOK_SECRET"),
      "webhooks/slack.yaml": signatureWebhook("slack", "HOOK_SECRET"),
      "webhooks/jira.yaml": `${signatureWebhook("custom", "HOOK_SECRET")}millrace: ${JSON.stringify({ scheme: JIRA_SCHEME, provider: "jira" })}\n`,
      "automations/gitlab.md": on("gitlab", "bot_mentioned"),
      "automations/linear.md": on("linear", "issue_created", "{ team_ids: [t1] }"),
      "automations/slack.md": on("slack", "message_posted", "{ keywords: [deploy] }"),
      "automations/both.md": automationWith(
        `triggers:
  - { provider: slack, event: app_mention, filter: { channel_ids: [C9] } }
  - { provider: slack, event: message_posted, filter: { channel_ids: [C9] } }
`,
      ),
      "automations/jira.md": on("jira", "status_changed", "{ project_keys: [SHOP] }"),
    },
    { HOOK_SECRET: SIGNING_SECRET },
  ),
);

/** Posts a delivery as its provider signs it. @returns the automations and sources of the runs that it started */
async function startedBy(name: string, payload: object) {
  const { story } = stage();
  const { url, signature_scheme } = await story.webhook(name);
  const webhook = {
    name,
    authMode: "signature",
    signatureScheme: signature_scheme,
    customScheme: JIRA_SCHEME,
  } as unknown as Webhook;
  const body = JSON.stringify(payload);
  const signing = { webhook, secret: SIGNING_SECRET, body: Buffer.from(body), id: newUuid() };
  const { headers } = signDelivery({ ...signing, now: new Date() });
  const answer = await post(url, body, headers);
  const { delivery_id: id } = (await answer.json()) as { delivery_id: string };
  const runs = await Promise.all((await story.delivery(id)).run_ids.map(story.run));
  return { id, runs: runs.map(({ agent_config, source }) => `${agent_config.name} ${source}`) };
}

describe("a signed delivery starts the automations that listen to its provider's event:", () => {
  test.each([
    ["gitlab", "GITLAB_WEBHOOK", gitlabNote("please look, @boss"), gitlabNote("nobody")],
    [
      "linear",
      "LINEAR",
      linear("Issue", "create", { teamId: "t1" }),
      linear("Issue", "create", { teamId: "t2" }),
    ],
    [
      "slack",
      "SLACK",
      slack({ type: "message", channel_type: "channel", text: "Deploy it" }),
      slack({ type: "message", channel_type: "channel", text: "hello" }),
    ],
    ["jira", "JIRA", jiraUpdate("status", "To Do", "Done"), jiraUpdate("summary", "a", "b")],
  ])("%s", async (name, source, fitting, other) => {
    expect((await startedBy(name, fitting)).runs).toEqual([`${name} ${source}`]);
    const { id, runs } = await startedBy(name, other);
    expect(runs).toEqual([]);
    const { server } = stage();
    const { automations } = await server.api<{
      automations: { name: string; result: string }[];
    }>("GET", `/factories/acme/deliveries/${id}/explain`);
    expect(automations.find((each) => each.name === name)).toMatchObject({ result: "Would not trigger" });
  });
});

describe("one message of Slack that comes with two events", () => {
  const mention = (ts: string, more: object = {}) =>
    slack({ type: "app_mention", channel: "C9", text: "<@U0> hello", ts, ...more });
  const message = (ts: string) =>
    slack({ type: "message", channel_type: "channel", channel: "C9", text: "<@U0> hello", ts });
  const dispositionOf = async (id: string) => {
    const { automations } = await stage().server.api<{
      automations: { name: string; disposition: { kind: string; run_id: string; reason: string } | null }[];
    }>("GET", `/factories/acme/deliveries/${id}/explain`);
    return automations.find(({ name }) => name === "both")?.disposition;
  };

  test("starts one run of an automation with triggers for both, and the other delivery tells of it", async () => {
    const first = await startedBy("slack", mention("1.1"));
    const second = await startedBy("slack", message("1.1"));
    expect([first.runs, second.runs]).toEqual([["both SLACK"], []]);
    const [started, joined] = [await dispositionOf(first.id), await dispositionOf(second.id)];
    expect(started?.kind).toBe("started");
    expect(joined).toMatchObject({ kind: "joined", run_id: started?.run_id });
    expect(joined?.reason).toContain(first.id);
  });

  test("starts one run also when both come at once, in either order", async () => {
    const rounds = Array.from({ length: 10 }, (_, n) => `2.${n}`);
    const runs = await Promise.all(
      rounds.map(async (ts, n) => {
        const pair = n % 2 === 0 ? [mention(ts), message(ts)] : [message(ts), mention(ts)];
        return (await Promise.all(pair.map((each) => startedBy("slack", each)))).flatMap((each) => each.runs);
      }),
    );
    expect(runs).toEqual(rounds.map(() => ["both SLACK"]));
  });

  test("starts no second run when it is edited, and a run of its own when it is another message", async () => {
    expect((await startedBy("slack", mention("3.1"))).runs).toEqual(["both SLACK"]);
    const edited = { edited: { user: "U1", ts: "3.5" } };
    expect((await startedBy("slack", mention("3.1", edited))).runs).toEqual([]);
    expect((await startedBy("slack", message("3.2"))).runs).toEqual(["both SLACK"]);
  });

  test("starts a run again when a person redelivers it", async () => {
    const { id } = await startedBy("slack", mention("4.1"));
    const { run_ids } = await stage().server.api<{ run_ids: string[] }>(
      "POST",
      `/factories/acme/deliveries/${id}/redeliver`,
    );
    expect(run_ids).toHaveLength(1);
  });
});
