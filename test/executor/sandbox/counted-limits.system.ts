import { expect, test } from "vitest";
import { countedLimits } from "../../../src/executor/sandbox/agent-command.ts";
import { findProgram } from "../../../src/executor/sandbox/find-program.ts";
import { unconfined } from "../../../src/executor/sandbox/unconfined.ts";
import { newUuid } from "../../../src/id.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { SERVERS, sandboxOf, start } from "../../given/sandbox-of.ts";

const SHOW = ["cat", "/proc/self/limits"];
const MOST = { "Max pending signals": 4_096, "Max msgqueue size": 262_144, "Max locked memory": 1_048_576 };

/** Those of a text as the kernel writes them: soft and hard. */
function limitsIn(text: string): Record<string, number[]> {
  const limitOf = (name: string) =>
    new RegExp(`^${name} +(\\d+) +(\\d+)`, "m").exec(text)?.slice(1).map(Number);
  return Object.fromEntries(Object.keys(MOST).map((name) => [name, limitOf(name) ?? []]));
}

function expectBounded(text: string): void {
  const found = limitsIn(text);
  for (const [name, most] of Object.entries(MOST)) {
    expect([name, found[name]?.length]).toEqual([name, 2]);
    for (const limit of found[name] ?? []) expect(limit).toBeLessThanOrEqual(most);
  }
}

test.each(SERVERS)(
  "a run under bubblewrap of a server that is %s may take little of what is counted per user",
  async (server) => {
    const sandbox = await sandboxOf(server);
    const { code, said } = await (await sandbox.start(SHOW)).closed;
    expect(code).toBe(0);
    expectBounded(said);
  },
);

test("a run without a sandbox may take little of it, also as the user of the server", async () => {
  const sandbox = unconfined({ prlimit: await findProgram("prlimit") });
  const workspace = temporaryFolder();
  const environment = { PATH: process.env.PATH ?? "" };
  const { said } = await start(sandbox.launch({ runId: newUuid(), command: SHOW, workspace, environment }))
    .closed;
  expectBounded(said);
  expect(sandbox.weaknesses).toContain("The number of processes of a run is not limited.");
});

test("a limit of the server that is lower stays, since only the superuser may raise one", () => {
  const lines = [
    "Limit                     Soft Limit           Hard Limit           Units     ",
    "Max locked memory         65536                65536                bytes     ",
    "Max pending signals       1000                 unlimited            signals   ",
    "Max msgqueue size         unlimited            unlimited            bytes     ",
  ];
  expect(countedLimits(lines.join("\n"))).toEqual([
    "--msgqueue=262144:262144",
    "--sigpending=1000:4096",
    "--memlock=65536:65536",
  ]);
  expect(countedLimits("")).toEqual([]);
});
