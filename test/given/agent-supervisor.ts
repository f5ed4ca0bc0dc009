import {
  type AgentSupervisor,
  startAgentSupervisor,
} from "../../src/executor/supervisor/agent-supervisor.ts";
import { silentLog } from "../../src/log.ts";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";

/** The built program of the process whose children the programs of runs are. */
export const SUPERVISOR_PROGRAM = new URL(
  "../../dist/executor/supervisor/supervisor-main.js",
  import.meta.url,
);

/** Such a process, which ends with the test. */
export function anAgentSupervisor(program = SUPERVISOR_PROGRAM): AgentSupervisor {
  const host = startAgentSupervisor({ log: silentLog, folder: temporaryFolder(), program });
  onFinished(host.stop);
  return host;
}
