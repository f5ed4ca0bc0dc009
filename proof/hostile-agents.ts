import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serverOf } from "../test/given/isolated.ts";
import { endProcess, processesWith } from "../test/given/processes.ts";
import { waitFor } from "../test/given/server.ts";
import { copiedFrom } from "./given/copied-from.ts";
import { hostileAgent } from "./given/hostile-agent.ts";
import type { HarmPart } from "./given/part.ts";

/** Who the server is, and what keeps its agents apart. Without either, docs/isolation.md says what an agent may reach. */
const SIDES = [
  { user: "root", sandbox: "bwrap" },
  { user: "nobody", sandbox: "bwrap" },
  { user: "root", sandbox: "none" },
  { user: "nobody", sandbox: "none" },
] as const;
type Side = (typeof SIDES)[number];

/** Then comes the next side. One of them, as a rule, has its server killed while the agent works. */
const ROUNDS_OF_A_SERVER = 8;

/** Runs agents that attack their server, in every sandbox, beside the server that works. */
export const hostileAgents: HarmPart = {
  name: "hostile agents",
  share: 0.1,
  prepare: () => ({ options: {} }),
  async harm({ chance, isOver }) {
    const broken: string[] = [];
    let servers = 0;
    let rounds = 0;
    let kills = 0;
    do {
      const attacks = await attacksOn(SIDES[servers % SIDES.length] ?? SIDES[0], broken);
      servers += 1;
      for (let round = 0; round === 0 || (round < ROUNDS_OF_A_SERVER && !isOver()); round += 1) {
        rounds += 1;
        if (chance.below(ROUNDS_OF_A_SERVER) > 0) await attacks.whole();
        else {
          kills += 1;
          await attacks.killed();
        }
      }
      await attacks.end();
    } while (!isOver());
    return {
      faults: rounds,
      mostCutOff: 0,
      broken,
      note: `${rounds} rounds, ${kills} of them with a killed server`,
    };
  },
};

/** Rounds of attacks on one server; what they came to is added to `broken`. */
async function attacksOn({ user, sandbox }: Side, broken: string[]) {
  const isApart = sandbox === "bwrap" || user === "root";
  const mark = `30000.${process.hrtime.bigint()}`;
  const env = { MILLRACE_LOG_LEVEL: "error", MILLRACE_AGENT_HOST_PATIENCE: "5s" };
  let given = await serverOf(user, sandbox, hostileAgent(mark), { env });
  const { dataDir, source } = given;
  const key = readFileSync(join(dataDir, "master.key"));
  const accuse = (what: string) => broken.push(`under ${sandbox} of a server that is ${user}: ${what}`);

  const lookAround = () => {
    const left = processesWith(mark);
    if (isApart && left.length > 0) accuse(`${left.length} processes of an agent outlived its run`);
    for (const pid of left) endProcess(pid);
    for (const file of copiedFrom(dataDir, key))
      accuse(`the server copied ${file} out of its own data folder`);
  };

  return {
    async whole() {
      const { state, transcript } = await given.run();
      if (state !== "SUCCEEDED") accuse(`a run ended ${state}: ${transcript.slice(0, 500)}`);
      for (const line of isApart ? (transcript.match(/^got .*$/gm) ?? []) : []) accuse(`an agent ${line}`);
      lookAround();
    },
    /** The next server ends what this one left. */
    async killed() {
      const id = await given.start();
      await waitFor(async () => {
        const { state } = await given.server.api<{ state: string }>("GET", `/agent/runs/${id}`);
        return !["QUEUED", "CLAIMED"].includes(state);
      });
      await given.server.kill();
      given = await serverOf(user, sandbox, hostileAgent(mark), { env, before: { dataDir, source } });
      await given.story.ended(id);
      lookAround();
    },
    end: () => given.server.stop(),
  };
}
