import { expect, test } from "vitest";
import {
  automationOn,
  FACTORY,
  TOKEN_WEBHOOK,
  withFactoryLines,
  withMillrace,
} from "../../given/definition.ts";
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

test("automations tell the filters of every provider, the network, the budget, pushes and the time zone", async () => {
  const triggers = `---
triggers:
  - { provider: github, event: issue_labeled, filter: { labels: [agent] } }
  - { provider: slack, event: app_mention }
  - { provider: schedule, event: cron_fired, schedule: { cron: "0 6 * * 1-5" } }
millrace: { timezone: Europe/Berlin, push: true, budget: { runsPerDay: 7 }, network: { allow: [example.com] } }
---
Do it.
`;
  const { server } = await serving(
    {
      ...FILES,
      ...withFactoryLines(
        "millrace: { repositories: optional, network: { allow: [npm, example.com], locked: true } }\n",
      ),
      "agents/boss/agent.md":
        "---\nagentType: FOREMAN\nmillrace: { network: { allow: [npm] } }\n---\nYou do the work.\n",
      "automations/all.md": triggers,
    },
    { CI_SECRET: "x" },
  );
  expect(await server.api("GET", "/factories/acme/automations/all")).toMatchObject({
    push: true,
    network: [
      { of: "factory", rule: { allow: ["npm", "example.com"], locked: true } },
      { of: "agent", rule: { allow: ["npm"] } },
      { of: "automation", rule: { allow: ["example.com"] } },
    ],
  });
  const millrace = (...args: string[]) =>
    run(args, { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY });
  const shown = (await millrace("automations", "show", "all")).printed;
  expect(shown).toMatch(
    /^triggers: +github issue_labeled\n +slack app_mention\n +schedule 0 6 \* \* 1-5 Europe\/Berlin$/m,
  );
  expect(shown).toMatch(/^filters: +\{"labels":\["agent"\]\}\n +-\n +-$/m);
  expect(shown).toMatch(/^timezone: +Europe\/Berlin$/m);
  expect(shown).toMatch(/^push: +yes$/m);
  expect(shown).toMatch(/^budget: +0 of 7 runs started/m);
  expect(shown).toMatch(
    /^network: +only npm, example.com \(factory, locked\)\n +only npm \(agent\)\n +only example.com \(automation\)$/m,
  );
  const other = (await millrace("automations", "show", "never")).printed;
  expect(other).toMatch(/^push: +no$/m);
  expect(other).toMatch(/^network: +only npm, example.com \(factory, locked\)\n +only npm \(agent\)\n\S/m);
});

test("the list of schedules has those of the API and of automations, a line for each expression", async () => {
  const { server } = await serving(FILES, { CI_SECRET: "x" });
  const millrace = (...args: string[]) =>
    run(args, { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY });
  const ofAutomations =
    /^AUTOMATION .*\nnever +acme +0 0 30 2 \* +- +-\noff +acme +@every 1h +disabled +-\noften +acme +0 0 1 1 \* +\S+Z +-\noften +acme +@every 1h +\S+Z +-$/m;
  const without = (await millrace("schedules", "list")).printed;
  expect(without).toMatch(ofAutomations);
  expect(without).not.toContain("There are no schedules");
  expect(JSON.parse((await millrace("schedules", "list", "--json")).printed)).toEqual([]);
  await millrace("schedules", "create", "--name", "daily", "--cron", "0 9 * * *", "--prompt", "Report.");
  const both = (await millrace("schedules", "list")).printed;
  expect(both).toMatch(/^NAME +ID .*\ndaily +\S+ +0 9 \* \* \*/m);
  expect(both).toMatch(ofAutomations);
});
