import { runProgram } from "./cli/program.ts";
import { serveFileJobs } from "./executor/files/serve-file-jobs.ts";
import { superviseAgents } from "./executor/supervisor/supervise-agents.ts";
import { hasPlace } from "./executor/supervisor/supervisor-place.ts";
import { AGENT_SUPERVISOR, FILE_WORKER } from "./platform/threads.ts";

/** What the binary does: the command line, or what a server has started it for. */
async function main(): Promise<void> {
  if (process.argv[2] === AGENT_SUPERVISOR && hasPlace(process.env)) superviseAgents();
  else if (process.argv[2] === FILE_WORKER && process.send) serveFileJobs();
  else process.exitCode = await runProgram(process.argv);
}

void main();
