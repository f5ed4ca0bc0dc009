import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { waitFor } from "../../given/server.ts";

/** Each call starts a program of its own, one after the other, which takes seconds where the machine is busy. */
const PATIENCE_S = 240;

/** Calls the command as an agent does, and tells how each call fared. */
const CALLS = `
  import { spawnSync } from "node:child_process";
  import { mkdirSync, writeFileSync } from "node:fs";
  const call = (command, input) => {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8", input });
    console.log(JSON.stringify({ command, status, said: (stdout + stderr).trim() }));
    return stdout.trim();
  };
`;

interface Call {
  command: string;
  status: number;
  said: string;
}

const callsIn = (transcript: string): Call[] =>
  transcript.split("\n").flatMap((line) => (line.startsWith('{"command"') ? [JSON.parse(line)] : []));

const REPORTS = `${CALLS}
  mkdirSync("artifacts");
  writeFileSync("made.txt", "made");
  call("millrace agent status 'Looking around'");
  call("millrace agent note 'Seen: all'");
  call("millrace agent note - --append", "Also: this");
  call("millrace agent note");
  call("millrace agent report pr https://example.com/pr/1 --branch fix");
  call("millrace agent report file made.txt --name out/made.txt");
  call("millrace agent answer -", "All done.");
  call("millrace agent list");
  call("millrace agent delivery");
  call("millrace agent status --json | head -c 10");
  call("millrace agent fetch $MILLRACE_RUN_ID out/made.txt --to copy && cat copy/out/made.txt");
  call("millrace agent ask 'Which one?' --choice Red --choice Blue --urgency high");`;

test.each([
  ["bwrap", "pr"],
  ["none", "pull_request"],
])(
  "an agent in %s reports, a pull request as %s, and asks with the command on its PATH",
  async (sandbox, kind) => {
    const agent = REPORTS.replace("report pr ", `report ${kind} `);
    const { start, story } = await serverWithAgent(agent, { env: { MILLRACE_SANDBOX: sandbox } });
    const id = await start();
    await waitFor(async () => {
      const { state, is_sandbox_running } = await story.run(id);
      return state === "BLOCKED" && !is_sandbox_running;
    }, PATIENCE_S);
    const calls = callsIn(await story.transcript(id));
    expect(calls.map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0]);
    expect(calls[3]?.said).toBe("Seen: all\nAlso: this");
    expect(calls[10]?.said).toBe("wrote copy/out/made.txt\nmade");
    expect(await story.run(id)).toMatchObject({
      answer: "All done.",
      status_line: "Looking around",
      question: { text: "Which one?", choices: ["Red", "Blue"], urgency: "high" },
      artifacts: [{ artifact_type: "PULL_REQUEST" }, { data: { filepath: "out/made.txt" } }],
    });
  },
  (PATIENCE_S + 60) * 1_000,
);

const ATTACKS = `${CALLS}
  call("millrace agent status fine");
  const place = call("command -v millrace");
  const folder = place.slice(0, place.lastIndexOf("/"));
  for (const name of [place, folder + "/millrace.cjs"]) {
    call("echo broken > " + name);
    call("chmod u+w " + name);
    call("rm -f " + name);
    call("mv made " + name);
  }
  call("touch " + folder + "/node");
  call("mv " + folder + " " + folder + "-away");
  call("millrace agent status fine");`;

test(
  "an agent in bwrap cannot change what another run executes",
  async () => {
    const { start, story } = await serverWithAgent(ATTACKS, { env: { MILLRACE_SANDBOX: "bwrap" } });
    const attack = async () => {
      const id = await start();
      await story.ended(id, PATIENCE_S);
      return callsIn(await story.transcript(id));
    };
    const calls = await attack();
    const [first, , ...rest] = calls;
    const last = rest.pop();
    expect([first?.status, last?.status]).toEqual([0, 0]);
    expect(rest).toHaveLength(10);
    expect(rest.filter(({ status }) => status === 0)).toEqual([]);
    const again = await attack();
    expect([again.at(0)?.status, again.at(-1)?.status]).toEqual([0, 0]);
  },
  (2 * PATIENCE_S + 60) * 1_000,
);
