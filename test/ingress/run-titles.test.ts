import { expect, test } from "vitest";
import { ask } from "../given/ask.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, signatureWebhook, TOKEN_WEBHOOK, withMillrace } from "../given/definition.ts";
import { hmacOf, post, SIGNING_SECRET } from "../given/sender.ts";
import { serving } from "../given/serving.ts";
import type { Run } from "../given/story.ts";

const titled = (title: string, webhook: string) =>
  automationOn([webhook]).replace("triggers:", `millrace: { title: ${JSON.stringify(title)} }\ntriggers:`);
const TEMPLATE = "Order {{order.number}} of {{order.customer.name}}";

const stage = sharedByFile(() =>
  serving(
    {
      ...FACTORY,
      "webhooks/shop.yaml": TOKEN_WEBHOOK,
      "webhooks/github.yaml": signatureWebhook("github", "HOOK_SECRET"),
      "automations/order.md": titled(TEMPLATE, "shop"),
      "automations/review.md": automationOn(["github"]),
    },
    { CI_SECRET: "token-of-the-shop", HOOK_SECRET: SIGNING_SECRET },
  ),
);

const ORDER = { order: { number: 4711, customer: { name: "Zoë\nBräuer\u001b[31m" } } };

async function runOf(deliveryId: string): Promise<Run> {
  const { story } = stage();
  const { run_ids } = await story.delivery(deliveryId);
  expect(run_ids).toHaveLength(1);
  return story.run(run_ids[0] ?? "");
}

async function ordered(payload: object): Promise<string> {
  const { story } = stage();
  return story.accept(await story.urlOf("shop"), "token-of-the-shop", JSON.stringify(payload));
}

test("a run is called by its automation's template, and found by what that says", async () => {
  const { server } = stage();
  const run = await runOf(await ordered(ORDER));
  expect(run.title).toBe("Order 4711 of Zoë Bräuer[31m");
  const { runs } = await server.api<{ runs: Run[] }>("GET", "/agent/runs?q=4711+brauer");
  expect(runs.map(({ run_id }) => run_id)).toEqual([run.run_id]);
});

test("fields that a delivery lacks are left out of the title", async () => {
  expect((await runOf(await ordered({ order: { number: 1 } }))).title).toBe("Order 1 of");
});

test("a delivery that is sent again starts a run with the same title", async () => {
  const { server } = stage();
  const id = await ordered({ order: { number: 12, customer: { name: "Ann" } } });
  const { delivery_id: again } = await server.api<{ delivery_id: string }>(
    "POST",
    `/factories/acme/deliveries/${id}/redeliver`,
  );
  expect((await runOf(again)).title).toBe("Order 12 of Ann");
});

test("without a template, a run is called after what the provider's event is about", async () => {
  const { story } = stage();
  const deliver = async (payload: object) => {
    const body = JSON.stringify(payload);
    const headers = {
      "x-github-event": "issues",
      "x-github-delivery": crypto.randomUUID(),
      "x-hub-signature-256": `sha256=${hmacOf(body)}`,
    };
    const answer = await post(await story.urlOf("github"), body, headers);
    return ((await answer.json()) as { delivery_id: string }).delivery_id;
  };
  expect((await runOf(await deliver({ issue: { number: 7, title: "It is broken" } }))).title).toBe(
    "#7 It is broken",
  );
  expect((await runOf(await deliver({ zen: "Keep it simple" }))).title).toBe("review");
});

test("an automation tells its template", async () => {
  const { server } = stage();
  const title = async (name: string) =>
    (await server.api<{ title: string | null }>("GET", `/factories/acme/automations/${name}`)).title;
  expect([await title("order"), await title("review")]).toEqual([TEMPLATE, null]);
});

const WITH_TASK = withMillrace(automationOn(["ci"]), '{ title: "{{subject}}", task: true }');

test("a delivery makes a task of the run that it starts, once, where the automation says so", async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "webhooks/other.yaml": TOKEN_WEBHOOK,
    "automations/with.md": WITH_TASK,
    "automations/without.md": automationOn(["other"]),
  };
  const { server, story } = await serving(files, { CI_SECRET: "x" });
  const runOf = async (webhook: string, body: string) => {
    const { run_ids } = await story.delivery(
      await story.accept((await story.webhook(webhook)).url, "x", body),
    );
    return run_ids[0] ?? "";
  };
  const { uid } = await story.factory();
  const taskOf = (run: string) => ask(server, "GET", `/factory/${uid}/task-by-run?run_id=${run}`);

  const body = JSON.stringify({ subject: "The total ignores quantities" });
  const run = await runOf("ci", body);
  const { status, body: task } = await taskOf(run);
  expect([status, task.title, task.stage]).toEqual([200, "The total ignores quantities", "TRIAGE"]);
  expect((await story.run(run)).prompt).toContain(`the task ${task.uid} of the factory`);

  expect(await runOf("ci", body)).toBe(run);
  expect((await taskOf(await runOf("other", body))).status).toBe(404);
  const { tasks } = await server.api<{ tasks: { uid: string }[] }>("GET", `/factory/${uid}/tasks`);
  expect(tasks.map((each) => each.uid)).toEqual([task.uid]);
});
