import { describe, expect, test } from "vitest";
import type { Webhook } from "../../src/definitions/definition.ts";
import { newUuid } from "../../src/id.ts";
import { signDelivery } from "../../src/ingress/sign.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationWith, FACTORY, signatureWebhook } from "../given/definition.ts";
import { gitlabNote, jiraUpdate, linear, slack } from "../given/provider-deliveries.ts";
import { post, SIGNING_SECRET } from "../given/sender.ts";
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
