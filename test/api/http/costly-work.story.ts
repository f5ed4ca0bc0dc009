import { expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { costlyFiles } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";
import { authorized, openIngress } from "../../given/serving.ts";

/** Each element of a body is held against all of these, and the last one keeps every delivery from matching. */
const FILTER = {
  ...Object.fromEntries(Array.from({ length: 63 }, (_, n) => [`k${n}`, { not_in: ["x"] }])),
  never: ["there"],
};
const ELEMENTS = `[${Array.from({ length: 60_000 }, () => '{"k":0}')
  .join(",")
  .slice(0, 250_000)}`;
const COSTLY_BODY = `${ELEMENTS.slice(0, ELEMENTS.lastIndexOf("}") + 1)}]`;
const COSTLY_AUTOMATIONS = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => [
    `automations/a${n}.md`,
    automationOn(["costly"], { ...FILTER, never: [`there ${n}`] }),
  ]),
);

const stage = sharedByFile(() =>
  openIngress({
    "webhooks/costly.yaml": TOKEN_WEBHOOK,
    "automations/plain.md": automationOn(["ci"]),
    "automations/hit.md": automationOn(["costly"], { hit: [true] }),
    ...COSTLY_AUTOMATIONS,
  }),
);

/** Sends deliveries one after the other until some work has ended. @returns how many were accepted before that */
async function acceptedDuring(work: Promise<unknown>): Promise<number> {
  const { url } = stage();
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let accepted = 0;
  while (!isOver) {
    const { status } = await fetch(url, {
      method: "POST",
      headers: authorized,
      body: `{"n":${Math.random()}}`,
    });
    if (!isOver && status === 202) accepted += 1;
  }
  await over;
  return accepted;
}

const sent = (count: number) =>
  Object.entries({ ...FACTORY, ...costlyFiles(count) }).map(([path, content]) => ({
    path,
    content: String(content),
  }));

test("deliveries are answered while a definition that is made to be slow is validated", async () => {
  const validation = ask(stage().server, "POST", "/factory-files/validate", { body: { files: sent(1) } });
  expect(await acceptedDuring(validation)).toBeGreaterThan(3);
  expect((await validation).body).toMatchObject({ valid: false });
});

test("deliveries are answered while such a definition is planned", async () => {
  const plan = ask(stage().server, "POST", "/factories/acme/plan", { body: { files: sent(1) } });
  expect(await acceptedDuring(plan)).toBeGreaterThan(3);
  expect((await plan).status).toBe(200);
});

test("deliveries are answered while one that is costly to match is matched, and that one is accepted too", async () => {
  const { story } = stage();
  const { url, uid } = await story.webhook("costly");
  const send = (body: string) => fetch(url, { method: "POST", headers: authorized, body });
  const costly = send(COSTLY_BODY);
  expect(await acceptedDuring(costly)).toBeGreaterThan(0);
  expect((await costly).status).toBe(202);
  const hit = await send(`${COSTLY_BODY.slice(0, -1)},{"hit":true}]`);
  expect(hit.status).toBe(202);
  const { delivery_id } = (await hit.json()) as { delivery_id: string };
  const [first] = await waitFor(async () =>
    (await story.deliveries(uid)).filter((one) => one.delivery_id === delivery_id),
  );
  expect(first?.run_ids).toHaveLength(1);
});

test.each(["{}", "7", '"text"', "[1, 2]", "null"])(
  "an empty filter lets %s pass, and Test filter tells both checks",
  async (body) => {
    const { server, uid } = stage();
    const answer = await server.api<{ result: string; checks: { check: string; passed: boolean }[] }>(
      "POST",
      "/factories/acme/filter-test",
      { webhook_ids: [uid], payload: {}, body: JSON.parse(body) },
    );
    expect(answer.result).toBe("Would trigger");
    expect(answer.checks.map(({ check, passed }) => [check, passed])).toEqual([
      ["webhook", true],
      ["payload", true],
    ]);
  },
);
