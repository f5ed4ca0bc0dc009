import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import type { Run } from "../../given/story.ts";

const TOKEN = "a-token-of-many-letters";

const stage = sharedByFile(async () => {
  const files = {
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"]),
    "automations/b.md": automationOn(["ci"]),
  };
  const given = await serverWithAgent("true", { files });
  const { server, story, start } = given;
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return {
    ...given,
    millrace: (...args: string[]) => run(["runs", ...args], env),
    /** Runs that wait until the server is no longer paused, for as long as something is tried. */
    async whilePaused(count: number, title: string, act: (ids: string[]) => Promise<void>) {
      const { id } = await server.api<{ id: string }>("POST", "/pauses", {});
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await start({ title, config: { name: title } }));
      await act(ids);
      await server.api("DELETE", `/pauses/${id}`);
    },
    state: async (id: string) => (await story.run(id)).state,
  };
});

describe("several runs are cancelled", () => {
  test("by the beginnings of their ids, and one that cannot be does not keep the others from it", async () => {
    const { millrace, whilePaused, state, start, story } = stage();
    const ended = await start();
    await story.ended(ended);
    await whilePaused(2, "named", async ([one = "", two = ""]) => {
      const done = await millrace("cancel", one.slice(0, 22), ended, two);
      expect(done.code).toBe(1);
      expect(done.printed).toContain(`Cancelled run ${one}.\nCancelled run ${two}.`);
      expect(done.said).toContain(`Run ${ended} is SUCCEEDED and can no longer be cancelled.`);
      expect([await state(one), await state(two)]).toEqual(["CANCELLED", "CANCELLED"]);
    });
  });

  test("by filters, after a summary that has to be confirmed", async () => {
    const { millrace, whilePaused, state } = stage();
    await whilePaused(3, "filtered", async (ids) => {
      const filters = ["--name", "filtered", "--state", "QUEUED"];
      const asked = await millrace("cancel", ...filters);
      expect(asked.code).toBe(2);
      expect(asked.said).toMatch(/ 3 {2}QUEUED {2}filtered/);
      expect(asked.said).toContain("--yes");
      expect(await state(ids[0] ?? "")).toBe("QUEUED");
      const done = await millrace("cancel", ...filters, "--yes", "--json");
      const cancelled = JSON.parse(done.printed) as Run[];
      expect(cancelled.map(({ run_id }) => run_id).sort()).toEqual([...ids].sort());
      for (const id of ids) expect(await state(id)).toBe("CANCELLED");
      expect((await millrace("cancel", ...filters, "--yes")).printed).toBe("No runs match the filters.\n");
    });
  });

  test("by ids or by filters, and not by both or neither", async () => {
    const { millrace } = stage();
    for (const args of [[], ["01a1fe22-6744-70ce-94a0-348515e54587", "--name", "x"]]) {
      const refused = await millrace("cancel", ...args);
      expect([refused.code, refused.said]).toEqual([2, expect.stringContaining("either run IDs or filters")]);
    }
  });
});

describe("runs are run again", () => {
  test("by their own automation alone, once for each idempotency key", async () => {
    const { millrace, story } = stage();
    const delivery = await story.accept(await story.urlOf("ci"), TOKEN, "{}");
    const { run_ids } = await story.delivery(delivery);
    for (const id of run_ids) await story.ended(id);
    const [id = ""] = run_ids;
    const args = ["again", id, "--idempotency-key", "one", "--json"];
    const first = JSON.parse((await millrace(...args)).printed);
    expect(JSON.parse((await millrace(...args)).printed)).toEqual(first);
    expect(await story.ended(first.run_id)).toMatchObject({ rerun_of: id, delivery_id: delivery });
    expect((await story.delivery(delivery)).run_ids).toHaveLength(run_ids.length + 1);
    const shown = await millrace("get", first.run_id);
    expect(shown.printed).toMatch(new RegExp(`repeats: +${id}`));
    const listed = await millrace("list", "--rerun-of", id.slice(0, 24), "--json");
    expect(JSON.parse(listed.printed)).toMatchObject([{ run_id: first.run_id }]);
  });

  test("by filters, and waits for their ends", async () => {
    const { millrace, start, story } = stage();
    const ids = [await start({ config: { name: "again" } }), await start({ config: { name: "again" } })];
    for (const id of ids) await story.ended(id);
    const done = await millrace("again", "--name", "again", "--yes", "--wait");
    expect(done.said).toMatch(/ 2 {2}SUCCEEDED {2}again/);
    expect(done.code).toBe(0);
    for (const id of ids) expect(done.printed).toContain(`which repeats run ${id}.`);
  });
});

test("an id that several runs share is answered with a list of these, with state and title", async () => {
  const { millrace, start } = stage();
  const ids = [await start({ title: "the first" }), await start({ title: "the second" })];
  const several = await millrace("get", ids[0]?.slice(0, 6) ?? "");
  expect(several.code).toBe(2);
  for (const [index, id] of ids.entries())
    expect(several.said).toMatch(new RegExp(`${id} {2}[A-Z]+ {2}the ${index === 0 ? "first" : "second"}`));
});
