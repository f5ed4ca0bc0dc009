import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { MASTER_KEY, move } from "../../given/filled-store.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { aPostgresDatabase } from "../../given/postgres.ts";
import { type Server, type ServerOptions, startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

const TOKEN = "the-token";
const SOURCE = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"], { start: [true] }),
};
/** Larger than a row of an artifact may be. */
const ARTIFACT_BYTES = 600_000;
const AGENT = `
import { mkdirSync, writeFileSync } from "node:fs";
console.log("what it wrote");
mkdirSync("artifacts", { recursive: true });
writeFileSync("artifacts/report.txt", "x".repeat(${ARTIFACT_BYTES}));
`;

/** What a server has of a run that has left an artifact. */
async function seenOf(server: Server, runId: string) {
  const story = storyOf(server);
  const { artifacts } = await story.run(runId);
  const [file] = artifacts ?? [];
  const uid = (file?.data as { artifact_uid?: string } | undefined)?.artifact_uid;
  const answer = await server.fetch(`/api/v1/agent/artifacts/${uid}/download`, {
    headers: { authorization: "Bearer test-admin-key-0123456789" },
  });
  return {
    runs: (await story.runs()).map(({ run_id, state, title }) => ({ run_id, state, title })),
    timeline: await story.timeline(runId),
    transcript: await story.transcript(runId),
    artifact: (await answer.text()).length,
    factory: (await story.factory()).uid,
  };
}

test("a server goes on after a move to PostgreSQL, and after a move back, with runs, files and secrets as before", async () => {
  const dataDir = join(temporaryFolder("millrace-data"), "data");
  const source = folderWith(SOURCE);
  const serve = (database: string, more: Partial<ServerOptions> = {}) => {
    const env = { MILLRACE_DATABASE_URL: database, MILLRACE_MASTER_KEY: MASTER_KEY };
    return startServer({ sources: [source], dataDir, agent: AGENT, env, ...more });
  };
  const first = await serve(`sqlite:${join(dataDir, "millrace.db")}`);
  await storyOf(first).setSecret("CI_SECRET", TOKEN);
  await storyOf(first).sync();
  const path = new URL(await storyOf(first).urlOf("ci")).pathname;
  const delivery = await storyOf(first).accept(first.url + path, TOKEN, '{"start":true}');
  const { run_id } = await storyOf(first).endedRunOf(delivery);
  const before = await seenOf(first, run_id);
  expect(before).toMatchObject({ transcript: "what it wrote\n", artifact: ARTIFACT_BYTES });
  await first.stop();

  const url = await aPostgresDatabase();
  const moved = await move(["--data-dir", dataDir, "--to", url]);
  expect(moved).toMatchObject({ code: 0, printed: expect.stringContaining("and 1 artifact from") });
  expect(moved.printed).toContain(
    `A server on PostgreSQL does not start with the folder ${source} as a source.`,
  );
  // They are in the database now.
  rmSync(join(dataDir, "artifacts"), { recursive: true });
  const second = await serve(url, { sharesStore: true });
  expect(await seenOf(second, run_id)).toEqual(before);
  const next = await storyOf(second).accept(second.url + path, TOKEN, '{"start":true,"again":true}');
  const run = await storyOf(second).endedRunOf(next);
  const after = await seenOf(second, run.run_id);
  expect(after.runs).toHaveLength(2);
  await second.stop();

  const copy = join(dataDir, "moved-back.db");
  const back = await move(["--data-dir", dataDir, "--from", url, "--to", `sqlite:${copy}`]);
  expect(back).toMatchObject({ code: 0, printed: expect.stringContaining("and 2 artifacts from") });
  const third = await serve(`sqlite:${copy}`);
  expect((await seenOf(third, run_id)).artifact).toBe(ARTIFACT_BYTES);
  expect(await seenOf(third, run.run_id)).toEqual(after);
  const last = await storyOf(third).accept(third.url + path, TOKEN, '{"start":true,"once":"more"}');
  await storyOf(third).endedRunOf(last);
  expect((await storyOf(third).runs()).length).toBe(3);
});
