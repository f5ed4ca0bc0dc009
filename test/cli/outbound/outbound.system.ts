import { expect, test } from "vitest";
import { outboundFile, receiver, serverThatPosts, verified } from "../../given/outbound.ts";
import { ADMIN_KEY, run, waitFor } from "../../given/server.ts";

test("the commands show outbound webhooks and what they sent, and send it again", async () => {
  const target = await receiver();
  const { server, story, startHere } = await serverThatPosts({
    ops: outboundFile(target.url, ["run.ended"], "filter: {data: {state: [FAILED]}}"),
  });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const outbound = (...args: string[]) => run(["outbound", ...args], env);

  const succeeded = await startHere("Do it.");
  await story.ended(succeeded);
  const failed = await startHere("PLEASE-FAIL");
  await story.ended(failed);
  await waitFor(async () => target.requests.length === 1);

  const listed = await waitFor(async () => {
    const { printed } = await outbound("list");
    return /ready +0/.test(printed) ? printed : undefined;
  });
  expect(listed).toMatch(/^ops +http:\/\/127\.0\.0\.1:\d+ +run\.ended +ready +0 +-$/m);
  expect(listed).not.toContain("/hook");
  const shown = await outbound("show", "ops");
  expect(shown.printed).toContain('{"data":{"state":["FAILED"]}}');

  const { deliveries } = await server.api<{ deliveries: { id: string }[] }>(
    "GET",
    "/factories/acme/outbound/ops/deliveries",
  );
  const id = deliveries[0]?.id ?? "";
  expect((await outbound("deliveries", "ops")).printed).toContain(id);
  const delivery = await outbound("delivery", "ops", id);
  expect(delivery.printed).toContain("response 204");
  expect(delivery.printed).toContain(failed);

  expect((await outbound("redeliver", "ops", id)).code).toBe(0);
  await waitFor(async () => target.requests.length === 2);
  expect(target.requests[1]?.headers["webhook-id"]).toBe(target.requests[0]?.headers["webhook-id"]);

  const why = await outbound("explain", "ops", "--event", "run.ended", "--subject", succeeded);
  expect([why.code, why.printed]).toEqual([
    1,
    expect.stringMatching(
      /would not send this run\.ended\.\nThe filter does not match at data\.state: expected one of "FAILED"/,
    ),
  ]);
  const start = failed.slice(0, -1);
  expect((await outbound("explain", "ops", "--event", "run.ended", "--subject", start)).code).toBe(0);

  const { revision } = JSON.parse(
    (await outbound("explain", "ops", "--event", "definition.applied", "--json")).printed,
  ).body.details;
  expect(revision).toMatch(/^[0-9a-f]{40}|^sha256/);

  const rotated = await outbound("rotate-secret", "ops");
  expect(rotated.said).toContain("It is not shown again");
  expect((await outbound("test", "ops")).printed).toContain("Sent a test event to ops: 204.");
  expect(verified(target.requests[2] ?? expect.fail(), rotated.printed.trim())).toMatchObject({
    type: "test",
  });

  const missing = await outbound("show", "none", "--server-wide");
  expect(missing.code).not.toBe(0);
  expect(missing.said).toContain('There is no outbound webhook "none"');
});
