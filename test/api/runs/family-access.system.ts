import { describe, expect, test } from "vitest";
import { type Answer, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { agentWith, serverWithFamily } from "../../given/family.ts";

const FILES = {
  "agents/coder/agent.md": agentWith("agentType: IMPLEMENT\nmillrace: { mayStart: [tester] }"),
  "agents/tester/agent.md": agentWith("agentType: VERIFY"),
};

const stage = sharedByFile(() => serverWithFamily(FILES));

/** A foreman, its coder and the coder's tester, all at work, and a run of another family. */
async function threeGenerations() {
  const given = stage();
  const { root, startWith, tokenOf, server } = given;
  const boss = await root();
  const stranger = await root();
  const startOf = async (key: string, agent: string) => {
    const { run_id: id } = (await startWith(key, { agent })).body;
    return { id, key: await tokenOf(id) };
  };
  const coder = await startOf(boss.key, "coder");
  const tester = await startOf(coder.key, "tester");
  return {
    ...given,
    boss,
    coder,
    tester,
    stranger,
    as: <Body = { run_id: string }>(key: string, method: string, path: string, body?: object) =>
      ask<Body>(server, method, path, { key, ...(body ? { body } : {}) }),
  };
}

const READS = ["", "/conversation", "/timeline", "/tree", "/transcript", "/steps"];
const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))];

describe("the token of a run", () => {
  test("reads its own run and all that descends from it, and no other run", async () => {
    const { boss, coder, tester, stranger, as } = await threeGenerations();
    const readAll = (key: string, id: string) =>
      Promise.all(READS.map((rest) => as(key, "GET", `/agent/runs/${id}${rest}`)));
    expect(statuses(await readAll(boss.key, tester.id))).toEqual([200]);
    expect(statuses(await readAll(coder.key, coder.id))).toEqual([200]);
    expect(statuses(await readAll(coder.key, boss.id))).toEqual([404]);
    expect(statuses(await readAll(tester.key, coder.id))).toEqual([404]);
    expect(statuses(await readAll(stranger.key, coder.id))).toEqual([404]);
  });

  test("lists the descendants of its run, and those alone", async () => {
    const { boss, coder, tester, stranger, as } = await threeGenerations();
    const listed = async (key: string, query = "") =>
      (await as<{ runs: { run_id: string }[] }>(key, "GET", `/agent/runs${query}`)).body.runs
        .map(({ run_id }) => run_id)
        .sort();
    await expect.poll(() => listed(boss.key)).toEqual([coder.id, tester.id]);
    expect(await listed(boss.key, `?ancestor_run_id=${coder.id}`)).toEqual([tester.id]);
    expect(await listed(stranger.key)).toEqual([]);
    const elsewhere = await as(stranger.key, "GET", `/agent/runs?ancestor_run_id=${boss.id}`);
    expect(elsewhere.status).toBe(400);
  });

  test("sends messages to descendants and to the parent, which come from its agent", async () => {
    const { boss, coder, tester, stranger, as, server } = await threeGenerations();
    const send = async (key: string, id: string) =>
      (await as(key, "POST", `/agent/runs/${id}/followups`, { message: "Hurry." })).status;
    expect(await send(boss.key, tester.id)).toBe(200);
    expect(await send(coder.key, boss.id)).toBe(200);
    expect(await send(coder.key, coder.id)).toBe(403);
    expect(await send(tester.key, boss.id)).toBe(404);
    expect(await send(coder.key, stranger.id)).toBe(404);
    const { messages } = await server.api<{ messages: object[] }>(
      "GET",
      `/agent/runs/${boss.id}/conversation`,
    );
    expect(messages.at(-1)).toMatchObject({
      author: { type: "agent", name: "coder", run_id: coder.id },
      text: "Hurry.",
    });
  });

  test("speaks in the name of its own run alone", async () => {
    const { boss, coder, as } = await threeGenerations();
    const asked = await as(boss.key, "POST", `/agent/runs/${coder.id}/blocked`, { message: "Which one?" });
    expect(asked.status).toBe(404);
    expect(
      (await as(coder.key, "POST", `/agent/runs/${coder.id}/blocked`, { message: "Which one?" })).status,
    ).toBe(200);
  });

  test("does not answer the question that another agent asks a person", async () => {
    const { boss, coder, as, server } = await threeGenerations();
    await as(coder.key, "POST", `/agent/runs/${coder.id}/blocked`, { message: "May I?" });
    const answered = await as(boss.key, "POST", `/agent/runs/${coder.id}/followups`, { message: "Yes." });
    expect(answered.status).toBe(409);
    expect(answered.body).toMatchObject({ reason: "asks_person" });
    expect(await server.api("GET", `/agent/runs/${coder.id}`)).toMatchObject({ state: "BLOCKED" });
  });

  test("cancels descendants, but neither its own run nor another", async () => {
    const { boss, coder, tester, stranger, as, story } = await threeGenerations();
    const cancel = async (key: string, id: string) =>
      (await as(key, "POST", `/agent/runs/${id}/cancel`)).status;
    expect(await cancel(coder.key, coder.id)).toBe(403);
    expect(await cancel(coder.key, boss.id)).toBe(404);
    expect(await cancel(coder.key, stranger.id)).toBe(404);
    expect(await cancel(boss.key, tester.id)).toBe(200);
    expect((await story.ended(tester.id)).state).toBe("CANCELLED");
    const revived = await as(boss.key, "POST", `/agent/runs/${tester.id}/followups`, { message: "Again." });
    expect(revived.body).toMatchObject({ reason: "cancelled" });
  });

  test("reaches nothing once the turn has ended", async () => {
    const { coder, tester, as, end } = await threeGenerations();
    await end(coder.id);
    expect((await as(coder.key, "GET", `/agent/runs/${tester.id}`)).status).toBe(401);
    expect((await as(coder.key, "POST", "/agent/runs", { prompt: "Do it.", agent: "tester" })).status).toBe(
      401,
    );
  });
});
