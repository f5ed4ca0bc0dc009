import { expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { startServer } from "../../given/server.ts";

type Schedule = components["schemas"]["ScheduledAgentItem"];

const PATH = "/agent/schedules";
const DAILY = { name: "daily", cron_schedule: "0 9 * * *", prompt: "Report." };
const atHour = (hour: string) => expect.stringMatching(new RegExp(`T${hour}:00:00\\.000Z$`));

const stage = sharedByFile(() => startServer({ sources: [folderWith(FACTORY)] }));

test("a schedule is due by the clock of its time zone, which an update that does not name it leaves", async () => {
  const server = stage();
  const made = await server.api<Schedule>("POST", PATH, { ...DAILY, timezone: "Asia/Tokyo" });
  expect(made).toMatchObject({ timezone: "Asia/Tokyo", history: { next_run: atHour("00") } });
  const body = { ...DAILY, enabled: true };
  expect((await ask(server, "PUT", `${PATH}/${made.id}`, { body })).body).toMatchObject({
    timezone: "Asia/Tokyo",
    history: { next_run: atHour("00") },
  });
  const inUtc = { ...body, timezone: "UTC" };
  expect((await ask(server, "PUT", `${PATH}/${made.id}`, { body: inUtc })).body).toMatchObject({
    timezone: "UTC",
    history: { next_run: atHour("09") },
  });
});

test.each(["Mars/Olympus", "+02:00", "Europe/Berlin; DROP"])(
  "a schedule is not made in the time zone %s",
  async (timezone) => {
    const { status, body } = await ask(stage(), "POST", PATH, { body: { ...DAILY, timezone } });
    expect([status, body.field, body.detail]).toEqual([
      400,
      "timezone",
      expect.stringContaining("is not a known time zone"),
    ]);
  },
);
