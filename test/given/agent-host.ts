import { silentLog } from "../../src/log.ts";
import { type AgentHost, startAgentHost } from "../../src/runs/host/agent-host.ts";
import { onFinished } from "./cleanup.ts";

/** The built program of the process whose children the programs of runs are. */
const PROGRAM = new URL("../../dist/runs/host/host-main.js", import.meta.url);

/** Such a process, which ends with the test. */
export function anAgentHost(): AgentHost {
  const host = startAgentHost(silentLog, PROGRAM);
  onFinished(host.stop);
  return host;
}
