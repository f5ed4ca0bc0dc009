import { join } from "node:path";
import { expect, test } from "vitest";
import { promptMessage, runMessage } from "../../../src/runs/rules/conversation.ts";
import { migrate } from "../../../src/store/sqlite/migrate.ts";
import { migrations } from "../../../src/store/sqlite/migrations/migrations.ts";
import { openSqlite } from "../../../src/store/sqlite/sqlite.ts";
import { createPorts } from "../../../src/store/store.ts";
import { onFinished } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";

const PERSON = JSON.stringify({ uid: "p", type: "user", displayName: "Ada" });
const AT = (second: number) => `2026-11-20T10:00:0${second}.000Z`;

test("after the upgrade a run has the conversation that can be derived of it", async () => {
  const connection = openSqlite(join(temporaryFolder(), "millrace.db"));
  onFinished(() => connection.close());
  const before = migrations.findIndex(({ name }) => name === "030-conversations");
  await migrate(connection, new Date(), migrations.slice(0, before));
  const insertRun = (id: string, state: string, turn: number, answer: string | null, status: string | null) =>
    connection.run(
      `INSERT INTO runs (run_id, title, prompt, source, creator, creator_uid, ancestors, config, execution, metadata,
         state, turn, answer, status_message, created_at, updated_at, started_at)
       VALUES ($1, 'T', 'Do it.', 'API', $2, 'p', '[]', '{}', '{"harness":{"type":"command"}}', '{}', $3, $4, $5, $6, $7, $7, $7)`,
      [id, PERSON, state, turn, answer, status, AT(0)],
    );
  const insertEvent = (run: string, id: string, type: string, turn: number, second: number) =>
    connection.run(
      "INSERT INTO run_events (event_uuid, run_id, event_type, occurred_at, payload) VALUES ($1, $2, $3, $4, $5)",
      [id, run, type, AT(second), JSON.stringify({ turn })],
    );
  const say = (
    run: string,
    id: string,
    message: string,
    turn: number | null,
    second: number,
    given: number | null,
  ) =>
    connection.run(
      `INSERT INTO run_followups (followup_id, run_id, message, outcome, creator, created_at, turn, given_at)
       VALUES ($1, $2, $3, 'queued_prompt', $4, $5, $6, $7)`,
      [id, run, message, PERSON, AT(second), turn, given === null ? null : AT(given)],
    );

  await insertRun("a", "SUCCEEDED", 1, "Done.", null);
  await say("a", "a1", "And this.", 1, 1, null);
  await insertEvent("a", "a2", "oz_run_done", 1, 2);
  await insertRun("b", "BLOCKED", 2, "Done at first.", JSON.stringify({ message: "Which one?" }));
  await insertEvent("b", "b1", "oz_run_done", 1, 1);
  await say("b", "b2", "Go on.", 2, 2, 3);
  await insertEvent("b", "b3", "oz_run_blocked", 2, 4);
  await insertEvent("b", "b4", "oz_run_blocked", 2, 5);
  await say("b", "b5", "Later.", null, 6, null);
  await insertRun("c", "FAILED", 1, null, JSON.stringify({ message: "It failed." }));
  await insertEvent("c", "c1", "oz_run_failed", 1, 1);
  await migrate(connection, new Date());

  const { runs } = createPorts(connection);
  const conversation = async (id: string) => {
    const run = await runs.find(id);
    if (!run) throw new Error("the run is gone");
    const { messages } = await runs.listMessages(id, { limit: 10 });
    return [promptMessage(run), ...messages.map((message) => runMessage(message, run))].map(
      ({ kind, turn, time, text, state }) => [kind, turn, time, text, state],
    );
  };
  expect(await conversation("a")).toEqual([
    ["prompt", 1, AT(0), "Do it.", "given"],
    ["message", 1, AT(1), "And this.", "given"],
    ["answer", 1, AT(2), "Done.", "given"],
  ]);
  expect(await conversation("b")).toEqual([
    ["prompt", 1, AT(0), "Do it.", "given"],
    ["message", 2, AT(2), "Go on.", "given"],
    ["question", 2, AT(4), "Which one?", "given"],
    ["answer", 2, AT(5), "Done at first.", "given"],
    ["message", 3, AT(6), "Later.", "waiting"],
  ]);
  expect(await conversation("c")).toEqual([["prompt", 1, AT(0), "Do it.", "given"]]);
});
