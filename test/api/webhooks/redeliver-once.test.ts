import { describe, expect, test } from "vitest";
import { acmeServer, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { ADMIN_KEY, run, startServer } from "../../given/server.ts";
import { type Delivery, type Factory, storyOf, type Webhook } from "../../given/story.ts";

const TOKEN = "the-token";

const stage = sharedByFile(async () => {
  const folder = folderWith({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/pushed.md": automationOn(["ci"], { kind: ["push"] }),
  });
  const server = await startServer({ sources: [folder] });
  await server.api("PUT", "/secrets/CI_SECRET", { value: TOKEN, shared: true });
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  for (const { uid } of factories) await server.api<Factory>("POST", `/factories/${uid}/sync?wait=true`);
  const { webhooks } = await server.api<{ webhooks: Webhook[] }>("GET", "/factories/acme/webhooks");
  const [webhook] = webhooks;
  if (!webhook) throw new Error("the factory has no webhook");
  const story = storyOf(server);
  const send = (text: string) => story.accept(webhook.url, TOKEN, text);
  const ids = [await send('{"kind":"push","n":1}'), await send('{"kind":"push","n":2}')] as const;
  const list = async (query = "") =>
    (await server.api<{ deliveries: Delivery[] }>("GET", `/deliveries${query}`)).deliveries;
  const post = async (path: string, key: string, body: object = {}) => {
    const answer = await server.fetch(`/api/v1/factories/acme${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Delivery & { field?: string } };
  };
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return { ids, list, post, webhook, cli: (...args: string[]) => run(["deliveries", ...args], env) };
});

describe("with an Idempotency-Key", () => {
  test("a delivery is redelivered once, however often and how much at once it is asked for", async () => {
    const { ids, list, post } = stage();
    const before = (await list()).length;
    const path = `/deliveries/${ids[0]}/redeliver`;
    const answers = await Promise.all([1, 2, 3].map(() => post(path, "once")));
    answers.push(await post(path, "once"));
    expect(new Set(answers.map(({ body }) => body.delivery_id)).size).toBe(1);
    expect(answers.map(({ status, body }) => [status, body.run_ids.length])).toEqual(
      Array.from({ length: 4 }, () => [200, 1]),
    );
    expect(await list()).toHaveLength(before + 1);
    const other = await post(`/deliveries/${ids[1]}/redeliver`, "once");
    expect([other.status, other.body.field]).toEqual([409, "Idempotency-Key"]);
    expect((await post(path, "twice")).body.delivery_id).not.toBe(answers[0]?.body.delivery_id);
  });

  test("a test delivery is sent once, also while the first request is still being answered", async () => {
    const { list, post, webhook } = stage();
    const path = `/webhooks/${webhook.uid}/test-deliveries`;
    const body = { body: { kind: "tag", n: 3 } };
    const answers = await Promise.all([1, 2].map(() => post(path, "test", body)));
    answers.push(await post(path, "test", body));
    expect(new Set(answers.map((answer) => answer.body.delivery_id)).size).toBe(1);
    const accepted = (await list("?q=tag")).filter(({ outcome }) => outcome === "Accepted");
    expect(accepted).toHaveLength(1);
    expect((await post(path, "test", { body: { kind: "other" } })).status).toBe(409);
  });
});

test("a key whose redelivery was deleted redelivers nothing, and says so", async () => {
  const server = await acmeServer({
    env: { MILLRACE_AGENT_COMMAND: "sleep 60", MILLRACE_RUN_CONCURRENCY: "1" },
  });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const { url, uid } = await story.webhook("ci");
  const id = await story.accept(url, TOKEN, "{}");
  const post = () =>
    ask(server, "POST", `/factories/acme/deliveries/${id}/redeliver`, {
      headers: { "idempotency-key": "k" },
    });
  const [run] = ((await post()).body as Delivery).run_ids;
  await server.api("POST", `/agent/runs/${run}/cancel`);
  await server.api("DELETE", `/factories/acme/webhooks/${uid}/deliveries`);
  const again = await post();
  expect([again.status, again.body]).toMatchObject([409, { field: "Idempotency-Key" }]);
  expect((await server.api<{ deliveries: Delivery[] }>("GET", "/deliveries")).deliveries).toHaveLength(1);
});

test("the command line redelivers several deliveries, each once for a key", async () => {
  const { ids, list, cli } = stage();
  const first = await cli("redeliver", ...ids, "--idempotency-key", "both", "--json");
  const made: Delivery[] = JSON.parse(first.printed);
  expect(made.map(({ redelivery_of }) => redelivery_of)).toEqual(ids);
  const count = (await list()).length;
  const second = await cli("redeliver", ...ids, "--idempotency-key", "both", "--json");
  expect(JSON.parse(second.printed).map(({ delivery_id }: Delivery) => delivery_id)).toEqual(
    made.map(({ delivery_id }) => delivery_id),
  );
  expect(await list()).toHaveLength(count);
});
