import { expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK, withMillrace } from "../../given/definition.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

const scheduled = (crons: string[], more = "") => `---
triggers:
${crons.map((cron, n) => `  - { provider: schedule, event: cron_fired, schedule: { cron: "${cron}", name: "n${n}" } }`).join("\n")}
${more}---
Do it.
`;

const FILES = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/on-event.md": automationOn(["ci"]),
  "automations/often.md": scheduled(
    ["0 0 1 1 *", "@every 1h"],
    "millrace: { concurrency: 3, missed: once }\n",
  ),
  "automations/off.md": scheduled(["@every 1h"], "enabled: false\n"),
  "automations/never.md": scheduled(["0 0 30 2 *"]),
};

interface Automation {
  name: string;
  concurrency: number | null;
  missed: string;
  next_fire_at: string | null;
}

test("automations tell how many runs they may have, what becomes of missed times, and when they fire next", async () => {
  const { server } = await serving(FILES, { CI_SECRET: "x" });
  const listed = await server.api<{ automations: Automation[] }>("GET", "/factories/acme/automations");
  const hour = 3_600_000;
  const nextHour = new Date((Math.floor(Date.now() / hour) + 1) * hour).toISOString();
  const facts = listed.automations.map(({ name, concurrency, missed, next_fire_at }) => [
    name,
    concurrency,
    missed,
    next_fire_at,
  ]);
  expect(facts).toEqual([
    ["never", null, "skip", null],
    ["off", null, "skip", null],
    ["often", 3, "once", nextHour],
    ["on-event", null, "skip", null],
  ]);
  const one = () => server.api<Automation>("GET", "/factories/acme/automations/often");
  expect((await one()).next_fire_at).toBe(nextHour);
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const shown = (await run(["automations", "show", "often"], env)).printed;
  expect(shown).toMatch(/^limit: +3 runs at the same time$/m);
  expect(shown).toMatch(new RegExp(`^next run: +${nextHour}$`, "m"));
  expect(shown).toMatch(/^missed: +fires once$/m);
  expect((await run(["automations", "show", "on-event"], env)).printed).not.toContain("next run");
  await server.api("POST", "/pauses", { factory: "acme", automation: "often" });
  expect((await one()).next_fire_at).toBeNull();
});

test("automations tell what makes their deliveries one thing", async () => {
  const grouped =
    '{ concurrency: { key: "{{pr}}", whileRunning: continue, maxTurns: 9 }, debounce: { quiet: 30s } }';
  const { server } = await serving(
    { ...FILES, "automations/on-event.md": withMillrace(automationOn(["ci"]), grouped) },
    { CI_SECRET: "x" },
  );
  expect(await server.api("GET", "/factories/acme/automations/on-event")).toMatchObject({
    concurrency: null,
    concurrency_key: { key: "{{pr}}", while_running: "continue", forget_after: "24h", max_turns: 9 },
    debounce: { quiet: "30s", longest: "5m" },
  });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const shown = (await run(["automations", "show", "on-event"], env)).printed;
  expect(shown).toMatch(
    /^concurrency key: +\{\{pr\}\}, while running: continue, forgotten after 24h, at most 9 turns$/m,
  );
  expect(shown).toMatch(/^debounce: +30s without a delivery, at most 5m$/m);
});
