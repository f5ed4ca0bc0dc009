import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { hasEnded } from "../../src/runs/rules/state.ts";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { agentHostOf, agentsIn, endProcess } from "../given/processes.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

/** `npm run prove:crashes` asks for many more. */
const KILLS = Number(process.env.CRASHES ?? 5);
const RUNS_BETWEEN = 3;

/** Notes its start, and leaves a child in a session of its own; both take a moment. */
const AGENT = `
echo "$MILLRACE_RUN_ID $MILLRACE_TURN" >> "$1/starts"
setsid sleep 3600 &
sleep 0.$((RANDOM % 4))
`;

function stage() {
  const witness = temporaryFolder();
  const scripts = folderWith({ "agent.sh": AGENT });
  const options = {
    sources: [folderWith(FACTORY)],
    dataDir: join(temporaryFolder(), "data"),
    env: {
      MILLRACE_AGENT_COMMAND: `bash ${join(scripts, "agent.sh")} ${witness}`,
      MILLRACE_RUN_CONCURRENCY: "3",
    },
  };
  const lines = (name: string) => {
    const file = join(witness, name);
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  };
  return { options, starts: () => lines("starts") };
}

/** Something new for the server to do, and a message for what it has done before. */
async function giveWork(server: Server, runs: string[]): Promise<void> {
  for (let n = 0; n < RUNS_BETWEEN; n += 1) {
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it." });
    runs.push(run_id);
  }
  const known = runs[Math.floor(Math.random() * runs.length)];
  await server.api("POST", `/agent/runs/${known}/followups`, { message: "And this." });
}

/** One of the agents that are alive. They end soon, so work is given until one is met. */
async function anAgent(server: Server, runs: string[], dataDir: string): Promise<number> {
  return waitFor(async () => {
    const alive = agentsIn(dataDir);
    if (alive.length === 0) await giveWork(server, runs);
    return alive[Math.floor(Math.random() * alive.length)];
  });
}

test(`through ${KILLS} kills of the server, of its agent host and of agents at random, no run is stuck, no turn starts twice, and no process is left`, async () => {
  const { options, starts } = stage();
  const runs: string[] = [];
  let server = await startServer(options);
  await storyOf(server).sync();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await giveWork(server, runs);
    await sleep(Math.random() * 400);
    if (kill % 3 === 0) {
      endProcess(await anAgent(server, runs, options.dataDir));
    } else if (kill % 3 === 1) {
      endProcess(agentHostOf(server));
    } else {
      await server.kill();
      server = await startServer(options);
      await storyOf(server).sync();
    }
  }

  const story = storyOf(server);
  const all = await waitFor(async () => {
    const found = await story.runs();
    return found.every(({ state }) => hasEnded(state)) ? found : undefined;
  }, 60);
  expect(all.map(({ run_id }) => run_id).sort()).toEqual([...runs].sort());
  expect(starts().length).toBeGreaterThan(0);
  expect(new Set(starts()).size).toBe(starts().length);
  expect(agentsIn(options.dataDir)).toEqual([]);
}, 600_000);
