import { setTimeout as sleep } from "node:timers/promises";
import { agentHostOf, agentsIn, endProcess } from "../test/given/processes.ts";
import { waitFor } from "../test/given/server.ts";
import type { HarmPart } from "./given/part.ts";
import { CONCURRENCY } from "./given/stage.ts";

const MAX_PEACE_MS = 1_500;

/** Kills the server, the process that starts its agents, or an agent, whenever chance says so. */
export const crashes: HarmPart = {
  name: "crashes",
  share: 0.1,
  prepare: () => ({ options: {} }),
  async harm({ stage, chance, isOver }) {
    const killed = { servers: 0, hosts: 0, agents: 0 };
    while (!isOver()) {
      await sleep(chance.next() * MAX_PEACE_MS);
      const victim = chance.oneOf(["server", "server", "host", "agent"] as const);
      if (victim === "server") {
        killed.servers += 1;
        await stage.server.kill();
        await stage.start();
      } else if (victim === "host") {
        killed.hosts += 1;
        endProcess(await waitFor(() => host(stage.server)));
      } else {
        const [agent] = agentsIn(stage.dataDir);
        if (agent === undefined) continue;
        killed.agents += 1;
        endProcess(agent);
      }
    }
    const { servers, hosts, agents } = killed;
    return {
      faults: servers + hosts + agents,
      mostCutOff: (servers + hosts) * CONCURRENCY + agents,
      note: `killed: ${servers} servers, ${hosts} agent hosts, ${agents} agents`,
    };
  },
};

/** One that was killed a moment ago is not there again at once. */
function host(server: { dataDir: string }): number | undefined {
  try {
    return agentHostOf(server);
  } catch {
    return undefined;
  }
}
