import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { newUuid } from "../../../src/id.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK, withMillrace } from "../../given/definition.ts";
import { agentWith, serverWithFamily } from "../../given/family.ts";
import { waitFor } from "../../given/server.ts";
import { spendingWhenAsked } from "../../given/spending-agent.ts";
import { tellingHarness } from "../../given/telling-harness.ts";

const TOKEN = "a-token-of-many-letters";
const HARNESS = "harness: { type: told }";

const automation = (webhook: string, budget: object) =>
  withMillrace(automationOn([webhook]), JSON.stringify({ mayStart: ["coder"], budget }));

/** A server with two automations that have budgets, whose agents report a cost when the test says so. */
const stage = sharedByFile(async () => {
  const given = await serverWithFamily(
    {
      "agents/boss/agent.md": agentWith(`agentType: FOREMAN\n${HARNESS}`),
      "agents/coder/agent.md": agentWith(`agentType: IMPLEMENT\n${HARNESS}`),
      "webhooks/issues.yaml": TOKEN_WEBHOOK,
      "webhooks/builds.yaml": TOKEN_WEBHOOK,
      "automations/run.md": automation("issues", { usdPerRun: 1 }),
      "automations/day.md": automation("builds", { usdPerDay: 1 }),
    },
    {},
    tellingHarness("claude", spendingWhenAsked()),
  );
  const { server, story, tokenOf } = given;
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const deliver = async (webhook: string) => {
    const delivery = await story.accept(await story.urlOf(webhook), TOKEN, JSON.stringify({ id: newUuid() }));
    return (await story.delivery(delivery)).run_ids[0] ?? "";
  };
  const costOf = async (id: string) => {
    const { cost_usd: own, family_cost_usd: family } = await server.api<Models["RunItem"]>(
      "GET",
      `/agent/runs/${id}`,
    );
    return [own, family];
  };
  return {
    ...given,
    deliver,
    costOf,
    async startedBy(webhook: string) {
      const id = await deliver(webhook);
      return { id, key: await tokenOf(id) };
    },
    spend: (id: string, usd: number) =>
      writeFileSync(join(server.dataDir, "workspaces", id, "spend"), String(usd)),
    has: (id: string, costs: (number | undefined)[]) =>
      waitFor(async () => {
        const found = await costOf(id);
        return found.every((cost, index) => cost?.toFixed(3) === costs[index]?.toFixed(3)) || undefined;
      }),
  };
});

test("a family whose money is used up starts nothing more, ends who passes it, tells its root, and counts for the root's automation", async () => {
  const { startedBy, startWith, tokenOf, spend, has, story, server, start } = stage();
  const { id: root, key } = await startedBy("issues");
  const [first = "", second = ""] = await Promise.all(
    ["a", "b"].map(async (title) => {
      const { body } = await startWith(key, { agent: "coder", title });
      await tokenOf(body.run_id);
      return body.run_id;
    }),
  );
  spend(root, 0.3);
  await has(root, [0.3, 0.3]);
  spend(first, 0.7);
  await has(root, [0.3, 1]);
  await has(first, [0.7, undefined]);

  const refused = await startWith(key, { agent: "coder" });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ reason: "budget", detail: expect.stringContaining("usdPerRun") });
  const late = await story.ended(await start({ agent: "coder", parent_run_id: root }));
  const over = { state: "FAILED", status_message: { error_code: "budget_exceeded" } };
  expect(late).toMatchObject(over);

  spend(second, 0.1);
  expect(await story.ended(second)).toMatchObject({
    ...over,
    status_message: {
      message: expect.stringContaining(`The family of run ${root} has used $1.10, and the automation run`),
    },
  });
  // The root can report what was done, until it uses more.
  expect((await story.run(root)).state).toBe("INPROGRESS");
  const events = await story.timeline(root);
  const informed = events.filter(({ event_type }) => event_type === "family_budget_used_up");
  expect(informed).toMatchObject([{ payload: { run_id: first, reason: expect.stringContaining("$1.00") } }]);
  expect(events.map(({ event_type }) => event_type)).toContain("start_refused");
  spend(root, 0.2);
  expect(await story.ended(root)).toMatchObject(over);

  const { usage } = await server.api<{ usage: Models["UsageRow"][] }>("GET", "/usage?group_by=automation");
  expect(usage.find(({ key: name }) => name.endsWith("/run"))).toMatchObject({
    cost_usd: expect.closeTo(0.5),
    family_cost_usd: expect.closeTo(1.3),
  });
});

test("the day of an automation that its families have used up ends who passes it, and holds further runs of them", async () => {
  const { startedBy, startWith, deliver, tokenOf, spend, has, story, start } = stage();
  const { id: root, key } = await startedBy("builds");
  const { run_id: child } = (await startWith(key, { agent: "coder" })).body;
  await tokenOf(child);
  spend(root, 0.6);
  await has(root, [0.6, 0.6]);
  spend(child, 0.5);
  expect(await story.ended(child)).toMatchObject({
    state: "FAILED",
    status_message: { message: expect.stringContaining("The runs of the automation day have used $1.10") },
  });
  const waiting = [await deliver("builds"), await start({ agent: "coder", parent_run_id: root })];
  for (const id of waiting)
    await waitFor(async () => (await story.run(id)).waiting?.reason === "budget" || undefined);
});
