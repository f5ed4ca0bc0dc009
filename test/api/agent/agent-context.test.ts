import { expect, test } from "vitest";
import { reportingAgent } from "../../given/agent.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { ADMIN_KEY } from "../../given/server.ts";

const FILES = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a/automation.md": automationOn(["ci"]),
};
const TOKEN = "the-token-of-the-webhook";

test("an agent reads the delivery that started its run, number for number", async () => {
  const { server, story } = await reportingAgent({ files: FILES, secrets: { CI_SECRET: TOKEN } });
  const body = '{"id": 12345678901234567890, "go": true}';
  const delivery = await story.accept(await story.urlOf("ci"), TOKEN, body);
  const { run_ids } = await story.delivery(delivery);
  const read = await server.fetch(`/api/v1/agent/runs/${run_ids[0]}/delivery`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  const text = await read.text();
  expect(text).toContain(`"payload":${body}}`);
  expect(JSON.parse(text)).toMatchObject({ delivery_id: delivery, webhook: "ci" });
});

test("a run that no delivery started has none", async () => {
  const { call } = await reportingAgent();
  const { status, body } = await call("GET", "delivery");
  expect([status, body.remedy]).toEqual([404, "What the run is about is in its prompt."]);
});
