import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { isRunning } from "../given/processes.ts";
import { crash, type Server, type ServerOptions, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

const TOKEN = "the-token-of-the-ci-webhook";

/** Writes down that it has started, and then takes its time. */
const slowAgent = (witness: string, milliseconds: number) => `
  import { appendFileSync } from "node:fs";
  appendFileSync(${JSON.stringify(witness)}, process.env.MILLRACE_RUN_ID + " " + process.pid + "\\n");
  await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
`;

interface Stage {
  options: ServerOptions;
  /** The runs that have started, with the process of each, in order. */
  starts(): { run: string; pid: number }[];
}

function stage(milliseconds: number, concurrency: number): Stage {
  const witness = join(temporaryFolder(), "starts");
  const source = folderWith({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"]),
  });
  return {
    options: {
      sources: [source],
      dataDir: join(temporaryFolder(), "data"),
      agent: slowAgent(witness, milliseconds),
      env: { MILLRACE_RUN_CONCURRENCY: String(concurrency) },
    },
    starts: () =>
      (existsSync(witness) ? readFileSync(witness, "utf8") : "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => ({ run: line.split(" ")[0] ?? "", pid: Number(line.split(" ")[1]) })),
  };
}

async function ready(server: Server) {
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  return { story, webhook: await waitFor(() => story.webhook("ci").catch(() => undefined)) };
}

test("a crash between the answer to a delivery and the start of its run loses nothing and starts nothing twice", async () => {
  const { options, starts } = stage(300, 1);
  const server = await startServer(options);
  const { story, webhook } = await ready(server);
  const ids = await Promise.all(
    Array.from({ length: 8 }, (_, n) => story.accept(webhook.url, TOKEN, `{"n":${n}}`)),
  );
  await server.kill();

  const again = storyOf(await startServer(options));
  const runs = await Promise.all(ids.map((id) => again.endedRunOf(id)));
  const started = starts().map(({ run }) => run);
  expect(new Set(started).size).toBe(started.length);
  for (const run of runs) {
    // Whatever had started when the server died ended with it; everything else was still waiting, and ran.
    expect(started.filter((id) => id === run.run_id).length).toBeLessThanOrEqual(1);
    expect(run.state).toBe(run.status_message ? "ERROR" : "SUCCEEDED");
  }
  expect(runs.filter(({ state }) => state === "SUCCEEDED").length).toBeGreaterThanOrEqual(7);
});

test("a crash of the server and its supervisor in the middle of a run ends the run in ERROR, and what was left of its agent", async () => {
  const { options, starts } = stage(60_000, 2);
  const server = await startServer(options);
  const { story, webhook } = await ready(server);
  const id = await story.accept(webhook.url, TOKEN, "{}");
  const [start] = await waitFor(() => (starts().length > 0 ? starts() : undefined));
  const pid = start?.pid ?? 0;
  await crash(server);

  const again = storyOf(await startServer(options));
  const run = await again.endedRunOf(id);
  expect(run).toMatchObject({ state: "ERROR", status_message: { error_code: "infrastructure_timeout" } });
  await waitFor(() => (isRunning(pid) ? undefined : true));
  expect(starts()).toHaveLength(1);
});

test("a crash while the leftovers of a run are ended leaves it to the next start", async () => {
  const { options, starts } = stage(60_000, 1);
  const server = await startServer(options);
  const { story, webhook } = await ready(server);
  const id = await story.accept(webhook.url, TOKEN, "{}");
  const pid = (await waitFor(() => starts()[0])).pid;
  await crash(server);

  // The store fails at the very moment when the run would be marked, as it would for a server that is gone by then.
  const database = openSqlite(join(server.dataDir, "millrace.db"));
  onTestFinished(() => database.close());
  database.execute(`CREATE TRIGGER crash BEFORE UPDATE ON runs WHEN NEW.state = 'ERROR'
                    BEGIN SELECT RAISE(ABORT, 'crashed'); END`);
  await expect(startServer(options)).rejects.toThrow("crashed");
  await waitFor(() => (isRunning(pid) ? undefined : true));

  database.execute("DROP TRIGGER crash");
  const run = await storyOf(await startServer(options)).endedRunOf(id);
  expect(run).toMatchObject({ state: "ERROR", status_message: { error_code: "infrastructure_timeout" } });
});
