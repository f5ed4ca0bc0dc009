import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { ADMIN_KEY, run as runProgram, waitFor } from "../../given/server.ts";

const ASKING = `
  import { readFileSync } from "node:fs";
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  await fetch(url + "/api/v1/agent/runs/" + id + "/blocked",
    { method: "POST", headers, body: JSON.stringify({ message: "Which one?", ...JSON.parse(/^\\{.*\\}$/m.exec(readFileSync(0, "utf8"))?.[0] ?? "{}") }) });`;

const stage = sharedByFile(async () => {
  const { start, server, story } = await serverWithAgent(ASKING);
  return {
    env: { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY },
    /** A run that asks. @param question what its agent adds to it */
    async blocked(question: { choices?: string[] } = {}) {
      const id = await start({ prompt: JSON.stringify(question) });
      await waitFor(async () => {
        const run = await story.run(id);
        return run.state === "BLOCKED" && !run.is_sandbox_running;
      });
      return id;
    },
  };
});

test("`runs dismiss` ends a blocked run, and `runs get` shows its conversation and who ended it", async () => {
  const { blocked, env } = stage();
  const id = await blocked();
  const dismissed = await runProgram(["runs", "dismiss", id, "--reason", "No longer needed."], env);
  expect(dismissed.printed).toBe(`Dismissed run ${id}.\n`);
  const { printed } = await runProgram(["runs", "get", id], env);
  expect(printed).toMatch(/^state: +CANCELLED$/m);
  expect(printed).toMatch(/^why: +Dismissed by admin: No longer needed\.$/m);
  expect(printed).toMatch(/^boss, question \(turn 1, [^)]*\):\n {2}Which one\?$/m);
  const again = await runProgram(["runs", "dismiss", id], env);
  expect(again.code).toBe(1);
  expect(again.said).toContain("there is no question to dismiss");
});

test("`runs get` of a blocked run prints its choices, and the command that answers it", async () => {
  const { blocked, env } = stage();
  const id = await blocked({ choices: ["Approve", "Reject"] });
  const { printed } = await runProgram(["runs", "get", id], env);
  expect(printed).toMatch(/^choices: +Approve, Reject$/m);
  expect(printed).toMatch(new RegExp(`^answer: +millrace runs followup ${id} "Approve"$`, "m"));
});

test.each([[undefined], [["$(reboot)"]], [["--help"]], [['a" b']]])(
  "the command that answers a question with the choices %j has a placeholder",
  async (choices) => {
    const { blocked, env } = stage();
    const id = await blocked(choices ? { choices } : {});
    const { printed } = await runProgram(["runs", "get", id], env);
    expect(printed).toContain(`millrace runs followup ${id} "ANSWER"`);
  },
);

test("`inbox` lists a question, and `runs answer` answers it, from standard input without a text", async () => {
  const { blocked, env } = stage();
  const id = await blocked();
  const { printed } = await runProgram(["inbox"], env);
  expect(printed).toMatch(/^\d+s ago +question +acme +.+Which one\?$/m);
  expect(printed).toContain("millrace runs answer ");
  const items = JSON.parse((await runProgram(["inbox", "--factory", "acme", "--json"], env)).printed);
  expect(items).toContainEqual(expect.objectContaining({ id: `question:${id}`, detail: "Which one?" }));
  expect((await runProgram(["inbox", "--factory", "nope"], env)).code).toBe(5);

  const empty = await runProgram(["runs", "answer", id], env, "\n");
  expect([empty.code, empty.said]).toEqual([2, expect.stringContaining("The answer is empty.")]);
  const answered = await runProgram(["runs", "answer", id], env, "The first.\n");
  expect([answered.code, answered.printed]).toEqual([0, expect.stringContaining("another turn")]);
  const conversation = async () => (await runProgram(["runs", "get", id], env)).printed;
  await expect.poll(conversation).toContain("The first.");
});

test("`runs answer` sends no answer to a run that has not asked", async () => {
  const { blocked, env } = stage();
  const id = await blocked();
  await runProgram(["runs", "dismiss", id], env);
  const { code, said } = await runProgram(["runs", "answer", id, "Yes."], env);
  expect([code, said]).toEqual([
    6,
    expect.stringContaining("is CANCELLED, so there is no question to answer"),
  ]);
});
