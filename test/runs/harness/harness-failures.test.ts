import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { folderWith } from "../../given/folder.ts";

/** A server whose agents write lines as a program does, and then do what a script says. */
async function serverOf(output: "claude" | "codex", lines: object[], then: string) {
  const folder = folderWith({
    "agent.mjs": `for (const line of ${JSON.stringify(lines)}) console.log(JSON.stringify(line));\n${then}`,
  });
  const harness = {
    command: [process.execPath, join(folder, "agent.mjs")],
    output,
    keyVariables: ["THE_KEY"],
  };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses: { told: harness } }) }), "m.yaml");
  const given = await serverWithAgent("", { args: ["--config", config] });
  return { ...given, run: () => given.run({ config: { harness: { type: "told" } } }) };
}

const retry = (attempt: number) => ({
  type: "system",
  subtype: "api_retry",
  attempt,
  error_status: 401,
  error: "authentication_failed",
});

const REFUSED = {
  state: "FAILED",
  status_message: {
    error_code: "agent_process_failed",
    message: expect.stringMatching(/The model rejected the key: HTTP 401 .*Check the secret THE_KEY/),
  },
};

test("a key that the model refuses ends the turn, though its program would go on, and names the secret", async () => {
  const { run } = await serverOf("claude", [retry(1), retry(2)], "setInterval(() => {}, 1000);");
  const ended = await run();
  expect(ended).toMatchObject(REFUSED);
  expect(ended.transcript).toMatch(/retry 1\].*\n.*\n.*The model rejected the key/s);
});

test("a program that ends at once when the model refuses its key has the same reason", async () => {
  const { run } = await serverOf("claude", [retry(1), retry(2)], "process.exit(145);");
  expect(await run()).toMatchObject(REFUSED);
});

test("the reason that a program gives is the message of its run", async () => {
  const { run } = await serverOf(
    "codex",
    [{ type: "turn.failed", error: { message: "the model is gone" } }],
    "process.exitCode = 1;",
  );
  const ended = await run();
  expect(ended.status_message?.message).toBe("The agent exited with code 1: the model is gone");
  expect(ended.transcript).toBe("the model is gone\n");
});

test("a program that fails without one has the last line of its errors in the message", async () => {
  const { run } = await serverWithAgent('console.log("working"); throw new TypeError("no such tool");');
  const ended = await run();
  expect(ended.status_message?.message).toBe("The agent exited with code 1: TypeError: no such tool");
});

test("a failure that the program recovered from is not reported as the reason of its end", async () => {
  const { run } = await serverOf(
    "claude",
    [
      { ...retry(1), error_status: 529, error: "overloaded" },
      { type: "result", subtype: "success", is_error: false, result: "Done." },
    ],
    "process.exitCode = 3;",
  );
  const ended = await run();
  expect(ended).toMatchObject({
    answer: "Done.",
    status_message: { message: "The agent exited with code 3." },
  });
});
