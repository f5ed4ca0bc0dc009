import { expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationWith, FACTORY, signatureWebhook } from "../given/definition.ts";
import { githubExample } from "../given/github.ts";
import { hmacOf, post, SIGNING_SECRET } from "../given/sender.ts";
import { serving } from "../given/serving.ts";

const FILES = {
  ...FACTORY,
  "webhooks/github.yaml": signatureWebhook("github", "HOOK_SECRET"),
  "automations/of-ann.md": automationWith(
    "triggers: [{ provider: github, event: workflow_run_completed, filter: { authors: [ann] } }]\n",
  ),
};
const stage = sharedByFile(() => serving(FILES, { HOOK_SECRET: SIGNING_SECRET }));

async function send(event: string, action: string, changes: object) {
  const { story } = stage();
  const repository = { full_name: "acme/shop" };
  const { payload } = githubExample(event, action, { repository, nonce: Math.random(), ...changes });
  const body = JSON.stringify(payload);
  const signature = { "x-hub-signature-256": `sha256=${hmacOf(body)}`, "x-github-event": event };
  const answer = await post(await story.urlOf("github"), body, signature);
  const { delivery_id: id } = (await answer.json()) as { delivery_id: string };
  return { id, started: (await story.delivery(id)).run_ids.length };
}

const pullRequest = (number: number, login: string) =>
  send("pull_request", "opened", { pull_request: { number, user: { login } } });
const workflowRun = (...numbers: number[]) =>
  send("workflow_run", "completed", {
    workflow_run: { actor: { login: "bob" }, pull_requests: numbers.map((number) => ({ number })) },
  });

async function explained({ id }: { id: string }): Promise<string> {
  return JSON.stringify(await stage().server.api("GET", `/factories/acme/deliveries/${id}/explain`));
}

test("a workflow run counts as the work of the author of its pull request, who is known from earlier deliveries", async () => {
  await pullRequest(7, "Ann");
  await pullRequest(8, "carl");
  const ofAnn = await workflowRun(7);
  expect(ofAnn.started).toBe(1);
  expect(await explained(ofAnn)).toContain('found \\"Ann\\"');
  expect((await workflowRun(8)).started).toBe(0);
  expect((await workflowRun(8, 7)).started).toBe(1);
});

test("an unknown author starts nothing, and explain says why", async () => {
  const unknown = await workflowRun(99);
  expect(unknown.started).toBe(0);
  expect(await explained(unknown)).toContain("the author of the pull request #99 is unknown");
  const unlinked = await workflowRun();
  expect(unlinked.started).toBe(0);
  expect(await explained(unlinked)).toContain("not linked to a pull request");
});

test("the newest delivery says who opened a pull request", async () => {
  await pullRequest(21, "carl");
  await pullRequest(21, "ann");
  expect((await workflowRun(21)).started).toBe(1);
});

test("a test delivery, which a person here has written, says nothing of who opened a pull request, nor sent again", async () => {
  const { server, story } = stage();
  const repository = { full_name: "acme/shop" };
  const written = { repository, pull_request: { number: 31, user: { login: "ann" } } };
  const { payload: body } = githubExample("pull_request", "opened", written);
  const { uid } = await story.webhook("github");
  const path = `/factories/acme/webhooks/${uid}/test-deliveries`;
  const sent = await server.api<{ status: number; delivery_id: string }>("POST", path, {
    ...{ event: "pull_request", body },
  });
  expect(sent.status).toBe(202);
  expect((await workflowRun(31)).started).toBe(0);
  await server.api("POST", `/factories/acme/deliveries/${sent.delivery_id}/redeliver`);
  expect((await workflowRun(31)).started).toBe(0);
});

test("a redelivery after the author became known starts what the delivery did not", async () => {
  const early = await workflowRun(12);
  expect(early.started).toBe(0);
  await pullRequest(12, "ann");
  const { server } = stage();
  const again = await server.api<{ run_ids: string[] }>(
    "POST",
    `/factories/acme/deliveries/${early.id}/redeliver`,
  );
  expect(again.run_ids).toHaveLength(1);
});
