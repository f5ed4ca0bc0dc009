import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { temporaryFolder, withSmallVolume } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";
import { AMPLE_BUDGETS, serving } from "../../given/serving.ts";

const TOKEN = "the-token";
const VOLUME_MB = 160;
const INODES = 30_000;

/** Writes into a file that has no name any more, faster than anybody looks, for as long as it lives. */
const FILLS_UNLINKED = `
  import { openSync, unlinkSync, writeSync } from "node:fs";
  const file = openSync("hidden", "w"); unlinkSync("hidden");
  const piece = Buffer.alloc(1 << 20, 1);
  for (;;) try { writeSync(file, piece); } catch {}`;

/** Makes empty files without end. */
const FILLS_INODES = `
  import { closeSync, mkdirSync, openSync } from "node:fs";
  mkdirSync("many");
  for (let n = 0; ; n += 1) try { closeSync(openSync("many/" + n, "w")); } catch {}`;

async function serverOnSmallVolume(agent: string, env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const made = await serving(
    { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK },
    { CI_SECRET: TOKEN },
    {
      agent,
      dataDir: join(folder, "data"),
      wrapper: withSmallVolume(folder, VOLUME_MB, INODES),
      env: { ...AMPLE_BUDGETS, ...env },
    },
  );
  const start = async () =>
    (await made.server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Fill the disk." })).run_id;
  return { ...made, start };
}

/** Posts deliveries until a run has ended. @returns the answers other than 202, and how the run has ended */
async function deliverWhileItRuns({ story }: Awaited<ReturnType<typeof serverOnSmallVolume>>, id: string) {
  const { url } = await story.webhook("ci");
  const ended = story.ended(id, 60);
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  const refused: number[] = [];
  for (let n = 0; !isOver; n += 1) {
    const { status } = await story.deliver(url, TOKEN, JSON.stringify({ n, filler: "x".repeat(20_000) }));
    if (status !== 202) refused.push(status);
    await sleep(10);
  }
  return { refused, run: await ended };
}

describe("a run that fills the disk of the store", () => {
  test.each([
    ["with a deleted file that is still open", FILLS_UNLINKED],
    ["with empty files", FILLS_INODES],
  ])("%s is stopped, and every delivery is accepted during and after that", async (_, agent) => {
    const made = await serverOnSmallVolume(agent);
    const { refused, run } = await deliverWhileItRuns(made, await made.start());
    expect(refused).toEqual([]);
    expect(run.status_message?.message).toMatch(/disk is nearly full, and this run uses the most of it/);
    await waitFor(() => made.server.log().includes("the disk has free space again") || undefined);
    expect((await made.server.fetch("/readyz")).status).toBe(200);
  });

  test("by less than its quota keeps no turn from starting once it is gone", async () => {
    const made = await serverOnSmallVolume(
      `${FILLS_UNLINKED.replace("for (;;)", 'if (process.env.MILLRACE_TURN !== "1") process.exit(0);\n  for (;;)')}`,
    );
    const id = await made.start();
    await made.story.ended(id, 60);
    await made.server.api("POST", `/agent/runs/${id}/followups`, { message: "Once more." });
    await waitFor(async () => (await made.story.run(id)).state === "SUCCEEDED" || undefined);
  });
});

describe("a run that takes more than its workspace may", () => {
  test("in a deleted file that is still open is ended by its quota", async () => {
    const made = await serverOnSmallVolume(
      `${FILLS_UNLINKED.replace("for (;;)", "for (let n = 0; n < 20; n += 1)")}; setInterval(() => {}, 1000)`,
      { MILLRACE_WORKSPACE_QUOTA: "10MiB" },
    );
    const { status_message } = await made.story.ended(await made.start());
    expect(status_message?.message).toMatch(
      /workspace has grown to 20(\.\d)? MiB, including 20 MiB in deleted files that are still open, and the limit is 10 MiB/,
    );
  });

  test("in files is ended by their number", async () => {
    const made = await serverOnSmallVolume(
      `${FILLS_INODES.replace("; ;", "; n < 600;")}; setInterval(() => {}, 1000)`,
      { MILLRACE_WORKSPACE_FILES: "500" },
    );
    const { status_message } = await made.story.ended(await made.start());
    expect(status_message?.message).toContain(
      "more than 500 files and folders, which is the limit (MILLRACE_WORKSPACE_FILES)",
    );
  });
});
