import { runProgram } from "./cli/program.ts";
import { AGENT_HOST, FILE_WORKER } from "./program-parts.ts";
import { serveFileJobs } from "./runs/files/serve-file-jobs.ts";
import { hostAgents } from "./runs/host/host-agents.ts";

/** What the binary does: the command line, or what a server has started it for. */
async function main(): Promise<void> {
  if (process.argv[2] === AGENT_HOST && process.send) hostAgents();
  else if (process.argv[2] === FILE_WORKER && process.send) serveFileJobs();
  else process.exitCode = await runProgram(process.argv);
}

void main();
