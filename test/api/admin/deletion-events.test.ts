import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Millrace } from "../../../src/client/client.ts";
import { onFinished } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { ADMIN_KEY } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

const files = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "webhooks/other.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"]),
};

test("what somebody deletes is reported to who may see it", async () => {
  const { server, story, source } = await serving(files, { CI_SECRET: "x" });
  const [limited, of] = await Promise.all([
    server.api<{ key: string }>("POST", "/api-keys", {
      name: "limited",
      factories: ["acme"],
      role: "viewer",
    }),
    story.webhook("ci"),
  ]);
  const { run_id } = await story.endedRunOf(await story.accept(of.url, "x", "{}"));
  const { run_id: unowned } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "x" });
  await story.ended(unowned);
  const heard = [ADMIN_KEY, limited.key].map((apiKey) => {
    const leaving = new AbortController();
    onFinished(() => leaving.abort());
    const events: { event: string; data: Record<string, unknown> }[] = [];
    (async () => {
      const stream = new Millrace({ baseUrl: server.url, apiKey }).events({
        signal: leaving.signal,
        lastEventId: "1",
      });
      for await (const event of stream) events.push(event as never);
    })().catch(() => {});
    return events;
  });
  await server.api("DELETE", `/agent/runs/${run_id}`);
  await server.api("DELETE", `/factories/acme/webhooks/${of.uid}/deliveries`);
  const other = await story.webhook("other");
  rmSync(join(source, "webhooks/other.yaml"));
  await story.sync();
  for (const events of heard) {
    await expect
      .poll(() => events.map(({ event, data: { at: _, factory_uid: __, ...data } }) => ({ event, ...data })))
      .toEqual(
        expect.arrayContaining([
          { event: "run", run_id, state: "SUCCEEDED", deleted: true },
          { event: "webhook", webhook_uid: of.uid, status: "deliveries_deleted" },
          { event: "webhook", webhook_uid: other.uid, status: "deleted" },
        ]),
      );
  }
  expect(
    (await server.api<{ runs: { run_id: string }[] }>("GET", "/agent/runs")).runs.map((run) => run.run_id),
  ).toEqual([unowned]);
});
