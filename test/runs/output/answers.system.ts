import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { FACTORY } from "../../given/definition.ts";
import { waitFor } from "../../given/server.ts";

interface Message {
  role: string;
  kind: string;
  turn: number;
  text: string;
}

/** Does what its prompt asks for; the answer of a file is longer than anyone shows. */
const AGENT = `
  import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  for (let line = 1; line <= 30; line += 1) console.log("\\u001b[31mline " + line + "\\u001b[0m");
  console.error("a warning");
  console.log("The token is " + process.env.TOKEN);
  mkdirSync("artifacts", { recursive: true });
  if (prompt.includes("File.")) writeFileSync("artifacts/answer.md", "# Done\\nwith " + process.env.TOKEN + "\\n" + "x".repeat(1e6));
  if (prompt.includes("Link.")) symlinkSync("/etc/hostname", "artifacts/answer.md");
  if (prompt.includes("Fail.")) process.exit(3);`;

async function answering() {
  const files = {
    "factory.yaml": String(FACTORY["factory.yaml"]).replace(
      "model: none }",
      "model: none }, secrets: [TOKEN]",
    ),
  };
  const given = await serverWithAgent(AGENT, { files });
  await given.story.setSecret("TOKEN", "a-secret-value");
  await given.story.sync();
  return {
    ...given,
    said: async (id: string) =>
      (
        await given.server.api<{ messages: Message[] }>("GET", `/agent/runs/${id}/conversation`)
      ).messages.filter(({ role }) => role === "agent"),
  };
}

test("the answer of a plain command is the last lines of its output, masked and without colours", async () => {
  const { run, said } = await answering();
  const { run_id, answer } = await run();
  const lines = Array.from({ length: 19 }, (_, index) => `line ${index + 12}`);
  expect(answer).toBe([...lines, "The token is ********"].join("\n"));
  expect(await said(run_id)).toMatchObject([{ kind: "answer", turn: 1, text: answer }]);
});

test("the file artifacts/answer.md is the answer, in the turn that has left it, masked and bounded", async () => {
  const { run, said, server, story } = await answering();
  const { run_id } = await run({ prompt: "File." });
  const [first] = await said(run_id);
  expect(first?.text.slice(0, 24)).toBe("# Done\nwith ********\nxxx");
  expect(first?.text.length).toBe(64 * 1024);
  await server.api("POST", `/agent/runs/${run_id}/followups`, { message: "And now?" });
  await waitFor(async () => (await said(run_id)).length === 2);
  const [, second] = await said(run_id);
  expect(second).toMatchObject({ turn: 2, text: expect.stringMatching(/\nThe token is \*{8}$/) });
  expect((await story.ended(run_id)).answer).toBe(second?.text);
});

test("a link is no answer, and a command that fails has none", async () => {
  const { run, said } = await answering();
  const linked = await run({ prompt: "Link." });
  expect((await said(linked.run_id)).map(({ text }) => text)).toEqual([
    expect.stringMatching(/The token is \*{8}$/),
  ]);
  const failed = await run({ prompt: "Fail." });
  expect(failed.state).toBe("FAILED");
  expect(await said(failed.run_id)).toEqual([]);
});
