import { expect, test } from "vitest";
import { Millrace } from "../../../src/client/client.ts";
import { onFinished } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { ADMIN_KEY, run, type Server } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

/** The changes of tasks that a server tells of. */
function heardFrom(server: Server): unknown[][] {
  const leaving = new AbortController();
  onFinished(() => leaving.abort());
  const heard: unknown[][] = [];
  (async () => {
    const client = new Millrace({ baseUrl: server.url, apiKey: ADMIN_KEY });
    for await (const { event, data } of client.events({ signal: leaving.signal, lastEventId: "1" })) {
      const { task_uid, stage } = data as Record<string, string>;
      if (event === "task") heard.push([task_uid, stage]);
    }
  })().catch(() => {});
  return heard;
}

test("tasks are made, found, moved and cancelled on the command line, and each change is reported", async () => {
  const { server, story } = await serving(FACTORY, {});
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const said = async (...args: string[]) => {
    const { code, said: error, printed } = await run(["tasks", ...args], env);
    expect([args, code, code === 0 ? "" : error]).toEqual([args, 0, ""]);
    return printed.trim();
  };
  const heard = heardFrom(server);
  expect(await said("list")).toContain("No tasks yet.");
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
    prompt: "Do it.",
    factory: "acme",
  });
  await story.ended(run_id);
  const uid = await said("create", run_id.slice(0, 13), "Mend the door", "--description", "The front one.");
  expect(uid).toMatch(/^[A-Za-z0-9]{22}$/);
  expect(await said("move", uid.slice(0, 8), "review")).toBe(`Moved task ${uid} to REVIEW.`);
  expect(await said("list", "--stage", "review", "--search", "DOOR")).toContain("Mend the door");
  expect(await said("list", "--stage", "spec")).toBe("No tasks match the filters.");
  const shown = await said("get", uid);
  expect(shown).toContain("The front one.");
  expect(shown).toContain(run_id);
  expect(shown).toMatch(/^stage: +REVIEW, for \d+s$/m);
  expect(await said("list")).toMatch(
    /^STAGE +UID +RUN +AGENT +MOVED +TITLE\nREVIEW .* \d+s ago +Mend the door$/,
  );
  expect(JSON.parse(await said("runs", uid, "--json"))).toMatchObject([{ run_id, task_uid: uid }]);
  expect(await said("cancel", uid)).toBe(`Cancelled task ${uid} and its runs.`);
  await server.api("DELETE", `/factory/acme/tasks/${uid}`);
  const stages = ["TRIAGE", "REVIEW", "CANCELLED", "deleted"];
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual(stages.map((stage) => [uid, stage]));
  expect(await run(["tasks", "get", uid], env)).toMatchObject({ code: 5 });
});
