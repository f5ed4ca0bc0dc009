import { expect, test } from "vitest";
import { ask } from "../given/ask.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, automationWith, FACTORY, signatureWebhook } from "../given/definition.ts";
import { githubExample } from "../given/github.ts";
import { hmacOf, post, SIGNING_SECRET } from "../given/sender.ts";
import { serving } from "../given/serving.ts";

const FILES = {
  ...FACTORY,
  "webhooks/github.yaml": signatureWebhook("github", "HOOK_SECRET"),
  "webhooks/pagerduty.yaml": signatureWebhook("pagerduty", "HOOK_SECRET"),
  "automations/of-ann.md": automationWith(
    "triggers: [{ provider: github, event: workflow_run_completed, filter: { authors: [ann] } }]\n",
  ),
  "automations/titled.md": automationOn(["pagerduty"]).replace(
    "triggers:",
    "millrace: { title: 'of {{by}}' }\ntriggers:",
  ),
};
const stage = sharedByFile(() => serving(FILES, { HOOK_SECRET: SIGNING_SECRET }));

async function send(webhook: string, body: string, headers: Record<string, string>) {
  const { story } = stage();
  const answer = await post(await story.urlOf(webhook), body, headers);
  expect(answer.status).toBe(202);
  const { delivery_id: id } = (await answer.json()) as { delivery_id: string };
  return id;
}

test("an id that stands in a body is shown with U+FFFD in the place of what cannot be stored, and still tells two apart", async () => {
  const { server, story } = stage();
  const deliver = (id: string) => {
    const body = JSON.stringify({ event: { id }, go: true, by: "ann\0" });
    return send("pagerduty", body, { "x-pagerduty-signature": `v1=${hmacOf(body)}` });
  };
  const first = await deliver("id\0\ud800");
  expect(await story.delivery(first)).toMatchObject({
    identity: { source: "provider", value: "id\ufffd\ufffd" },
    payload: { event: { id: "id\0\ud800" } },
  });
  expect(await deliver("id\0\ud800")).toBe(first);
  expect(await deliver("id\ufffd\ufffd")).not.toBe(first);
  const [run = ""] = (await story.delivery(first)).run_ids;
  expect(await server.api("GET", `/agent/runs/${run}`)).toMatchObject({ title: "of ann" });
  expect((await ask(server, "GET", `/factories/acme/deliveries/${first}/payload`)).body).toMatchObject({
    by: "ann\0",
  });
});

test("what pull requests are known by can be stored and looked up, whatever a sender calls a repository", async () => {
  const { server } = stage();
  const github = (event: string, action: string, changes: object) => {
    const { payload } = githubExample(event, action, { repository: { full_name: "acme/\0" }, ...changes });
    const body = JSON.stringify(payload);
    const signature = { "x-hub-signature-256": `sha256=${hmacOf(body)}`, "x-github-event": event };
    return send("github", body, signature);
  };
  await github("pull_request", "opened", { pull_request: { number: 7, user: { login: "ann" } } });
  await github("pull_request", "opened", { pull_request: { number: 8, user: { login: "ann\0" } } });
  const explained = async (number: number) => {
    const id = await github("workflow_run", "completed", {
      workflow_run: { actor: { login: "bob" }, pull_requests: [{ number }] },
    });
    return JSON.stringify(await server.api("GET", `/factories/acme/deliveries/${id}/explain`));
  };
  expect(await explained(7)).toContain('found \\"ann\\"","field":"authors"');
  expect(await explained(8)).toContain('found \\"ann\ufffd\\"","field":"authors"');
});
