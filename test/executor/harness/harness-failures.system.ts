import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { folderWith } from "../../given/folder.ts";

/** A server whose agents write lines as a program does, and then do what a script says. */
async function serverOf(
  output: "claude" | "codex",
  lines: object[],
  then: string,
  { rows = {}, granted = [] }: { rows?: Record<string, object>; granted?: string[] } = {},
) {
  const folder = folderWith({
    "agent.mjs": `for (const line of ${JSON.stringify(lines)}) console.log(JSON.stringify(line));\n${then}`,
  });
  const told = { command: [process.execPath, join(folder, "agent.mjs")], output };
  const harnesses = Object.fromEntries(
    Object.entries({ told: { keyVariables: ["THE_KEY"] }, ...rows }).map(([name, row]) => [
      name,
      { ...told, ...row },
    ]),
  );
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml");
  const secrets = JSON.stringify(granted);
  const given = await serverWithAgent("", {
    files: { "agents/boss/agent.md": `---\nagentType: FOREMAN\nsecrets: ${secrets}\n---\n` },
    args: ["--config", config],
  });
  for (const name of granted) await given.story.setSecret(name, `value-of-${name}`);
  if (granted.length > 0) await given.story.sync();
  return { ...given, run: (type = "told") => given.run({ config: { harness: { type } } }) };
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
    message: expect.stringMatching(/The model rejected the key: HTTP 401 .*grant the secret THE_KEY/),
  },
};

test("a key that the model refuses ends the turn, though its program would go on, and names the secret that is missing", async () => {
  const { run } = await serverOf("claude", [retry(1), retry(2)], "setInterval(() => {}, 1000);");
  const ended = await run();
  expect(ended).toMatchObject(REFUSED);
  expect(ended.transcript).toMatch(/retry 1\].*\n.*\n.*The model rejected the key/s);
});

test("a program that ends at once when the model refuses its key has the same reason", async () => {
  const { run } = await serverOf("claude", [retry(1), retry(2)], "process.exit(145);");
  expect(await run()).toMatchObject(REFUSED);
});

const LACKING = "grant the secret LACKING_KEY under secrets:, or specify a secret in harness.auth.";

test.each<[string, string[], Record<string, [row: object, hint: string]>]>([
  [
    "only secrets that the run was granted",
    ["ONE", "THE_KEY", "THIRD_KEY"],
    {
      several: [{ keyVariables: ["FIRST_KEY", "THE_KEY", "THIRD_KEY"] }, "Check the secret THE_KEY."],
      another: [
        { keyVariables: ["LACKING_KEY"] },
        `Check the secrets that the run was granted: ONE, THE_KEY, THIRD_KEY. If none of them is the key, ${LACKING}`,
      ],
      unknown: [{}, "Check the secrets that the run was granted: ONE, THE_KEY, THIRD_KEY."],
      ofSettings: [
        { keyVariables: ["LACKING_KEY"], environment: { LACKING_KEY: "k" } },
        "Check LACKING_KEY under environment: of the harness in millrace.yaml.",
      ],
    },
  ],
  [
    "what to grant where the run was granted nothing",
    [],
    {
      lacking: [{ keyVariables: ["LACKING_KEY"] }, `The run was granted no secret: ${LACKING}`],
    },
  ],
])(
  "a reason that the model refused the key names %s",
  async (_, granted, rows) => {
    const refused = [retry(1), retry(2)];
    const { run } = await serverOf("claude", refused, "process.exitCode = 1;", {
      rows: Object.fromEntries(Object.entries(rows).map(([name, [row]]) => [name, row])),
      granted,
    });
    for (const [name, [, hint]] of Object.entries(rows)) {
      const { status_message: status } = await run(name);
      expect(status?.message).toMatch(/The model rejected the key: HTTP 401 \(authentication_failed\)\. /);
      expect(status?.message.replace(/^.*authentication_failed\)\. /, "")).toBe(hint);
    }
  },
  120_000,
);

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
