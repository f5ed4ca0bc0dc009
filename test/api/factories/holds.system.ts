import { expect, test } from "vitest";
import { aKey } from "../../given/ask.ts";
import { LIMIT, LIMITED_UNTIL, limitedServer } from "../../given/limited-server.ts";
import { waitFor } from "../../given/server.ts";

test("a run at the limit of its provider waits with its session, holds others, and goes on when the hold is ended", async () => {
  const { server, story, start, held, holds, end, target } = await limitedServer();
  const id = await start();
  const until = LIMITED_UNTIL;
  expect(await held(id)).toEqual({
    reason: "provider_limit",
    message: `Runs with the credential harness:limited and the model first wait until ${until}: ${LIMIT}`,
    place: 0,
  });
  const other = await start();
  expect(await held(other)).toMatchObject({ place: 1 });
  const [hold, ...more] = await holds();
  expect([hold, more]).toMatchObject([
    { credential: "harness:limited", model: "first", until, reason: LIMIT, kind: "limit", factory: "acme" },
    [],
  ]);

  const viewer = await aKey(server, { role: "viewer" });
  expect(await holds(viewer)).toHaveLength(1);
  const inbox = () => server.api<{ items: object[] }>("GET", "/inbox?factory=acme");
  expect((await inbox()).items).toMatchObject([
    { id: `held:${hold?.id}`, kind: "held", factory: "acme", detail: expect.stringContaining(LIMIT) },
  ]);
  expect(await end(hold?.id, viewer)).toBe(403);
  expect([await end(hold?.id), await end(hold?.id)]).toEqual([204, 404]);
  expect(await story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(await story.transcript(id)).toContain("With resumed the-session first");
  expect(await story.ended(other)).toMatchObject({ state: "SUCCEEDED" });
  expect(await holds()).toEqual([]);
  expect((await inbox()).items).toEqual([]);

  const request = await waitFor(async () => target.requests[0]);
  expect(request.json).toMatchObject({
    type: "provider.limit",
    data: {
      summary: `Runs wait for the provider of a model until ${until} (factory acme)`,
      detail: `Credential harness:limited, model first: ${LIMIT}`,
    },
  });
  expect(target.requests).toHaveLength(1);
});

test("a run whose agent names other models goes on at once with one of them", async () => {
  const fallback = "millrace: { harness: { fallbackModels: [second] } }\n";
  const { story, run, holds } = await limitedServer(fallback);
  const { run_id, state, transcript } = await run();
  expect(state).toBe("SUCCEEDED");
  expect(transcript).toContain("With resumed the-session second");
  expect(transcript).toContain("the fallback model second");
  expect(await holds()).toMatchObject([{ model: "first" }]);
  expect((await story.timeline(run_id)).map(({ event_type }) => event_type)).toContain("provider_limit");
});
