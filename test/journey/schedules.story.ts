import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { ask } from "../given/ask.ts";
import { every, onSchedule } from "../given/clockwork.ts";
import { writeFiles } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";
import type { Run } from "../given/story.ts";

const AGENT = `
  import { readFileSync } from "node:fs";
  console.log(readFileSync("prompt.md", "utf8"));`;
const SECOND = onSchedule(every("@every 1s", "tick"));
const dueOf = ({ prompt }: Run) => /due at (\S+)\.$/.exec(prompt)?.[1] ?? "";

test("a schedule in a definition starts runs until it is removed", async () => {
  const { source, server, story } = await serverWithAgent(AGENT, { files: SECOND });
  const [run] = await waitFor(async () => {
    const ended = (await story.runs()).filter(({ state }) => state === "SUCCEEDED");
    return ended.length >= 3 ? ended : undefined;
  });
  const { automations } = await server.api<{ automations: { uid: string }[] }>(
    "GET",
    "/factories/acme/automations",
  );
  const id = `${automations[0]?.uid}:tick`;
  expect(run).toMatchObject({
    source: "SCHEDULED_AGENT",
    creator: { type: "service_account", display_name: "boss" },
    schedule: { schedule_id: id, schedule_name: "tick", cron_schedule: "@every 1s" },
  });
  expect(await story.transcript(run?.run_id ?? "")).toContain('started by the schedule "tick"');
  const { body } = await ask<{ runs: Run[] }>(
    server,
    "GET",
    `/agent/runs?limit=500&schedule_id=${encodeURIComponent(id)}`,
  );
  expect(body.runs.length).toBeGreaterThanOrEqual(3);

  writeFiles(source, onSchedule(every("@yearly")));
  await story.sync();
  const takenOut = new Date().toISOString();
  // Two more seconds, as another schedule tells them.
  const { id: other } = await server.api<{ id: string }>("POST", "/agent/schedules", {
    name: "other",
    cron_schedule: "@every 1s",
    prompt: "Look.",
  });
  await waitFor(
    async () => (await story.runs()).filter(({ schedule }) => schedule?.schedule_id === other).length >= 2,
  );
  const ticks = (await story.runs()).filter(({ schedule }) => schedule?.schedule_id === id);
  expect(ticks.filter((tick) => dueOf(tick) > takenOut)).toEqual([]);
  expect(await server.api("GET", `/agent/schedules/${other}`)).toMatchObject({
    history: { last_ran: expect.any(String) },
    last_spawn_error: null,
  });
});

test("a schedule_ids entry that names no schedule of the factory is a warning, until there is one", async () => {
  const { source, server, story } = await serverWithAgent(AGENT, { files: SECOND });
  const { id } = await server.api<{ id: string }>("POST", "/agent/schedules", {
    name: "other",
    cron_schedule: "@yearly",
    prompt: "Look.",
  });
  const unknown = "01a1fe22-6744-70ce-94a0-348515e54587";
  const following = (...ids: string[]) =>
    onSchedule(`{ provider: schedule, event: cron_fired, filter: { schedule_ids: ${JSON.stringify(ids)} } }`);
  const problems = async (...ids: string[]) => {
    writeFiles(source, following(...ids));
    return (await story.sync()).sync.problems.filter(({ path }) => path === "automations/a.md");
  };
  expect(await problems(id, unknown)).toEqual([
    {
      code: "FF_INVALID_REFERENCE",
      severity: "warning",
      path: "automations/a.md",
      line: 2,
      column: expect.any(Number),
      message: expect.stringContaining(`no schedule available to this factory has the id "${unknown}"`),
    },
  ]);
  expect(await problems(id)).toEqual([]);
});

test("no due time fires twice across crashes, and those of a short time down still fire", async () => {
  let stage = await serverWithAgent(AGENT, { files: SECOND });
  for (let crash = 0; crash < 3; crash += 1) {
    const before = (await stage.story.runs()).length;
    await waitFor(async () => (await stage.story.runs()).length > before);
    await stage.server.kill();
    stage = await serverWithAgent(AGENT, { before: stage });
  }
  const { story } = stage;
  const last = (await story.runs()).length;
  await waitFor(async () => (await story.runs()).length > last + 1);
  const due = (await story.runs()).map(dueOf).sort();
  expect(new Set(due).size).toBe(due.length);
});
