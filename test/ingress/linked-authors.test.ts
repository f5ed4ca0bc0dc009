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

test("a workflow run counts as the work of whoever opened its pull request, who is known from deliveries before", async () => {
  await pullRequest(7, "Ann");
  await pullRequest(8, "carl");
  const ofAnn = await workflowRun(7);
  expect(ofAnn.started).toBe(1);
  expect(await explained(ofAnn)).toContain('found \\"Ann\\"');
  expect((await workflowRun(8)).started).toBe(0);
  expect((await workflowRun(8, 7)).started).toBe(1);
});

test("an author that nothing has told starts nothing, and explain says why", async () => {
  const unknown = await workflowRun(99);
  expect(unknown.started).toBe(0);
  expect(await explained(unknown)).toContain("the author of the pull request #99 is not known here");
  const unlinked = await workflowRun();
  expect(unlinked.started).toBe(0);
  expect(await explained(unlinked)).toContain("linked to no pull request");
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
