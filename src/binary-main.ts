import { runProgram } from "./cli/program.ts";
import { AGENT_HOST } from "./program-parts.ts";
import { hostAgents } from "./runs/host/host-agents.ts";

/** What the binary does: the command line, or what a server has started it for. */
async function main(): Promise<void> {
  if (process.argv[2] === AGENT_HOST && process.send) hostAgents();
  else process.exitCode = await runProgram(process.argv);
}

void main();
