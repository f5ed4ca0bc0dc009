import type { Run } from "../../runs/run.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The only variables of the server's environment that an agent sees. */
const PASSED_ON = ["PATH", "LANG", "TERM", "TZ"] as const;

export interface AgentContext {
  run: Pick<Run, "id" | "turn" | "factoryUid">;
  workspace: Workspace;
  apiUrl: string;
  /** Opens the API for this run only; a setup command has none. */
  runToken?: string;
  /** Opens one repository of the run for pushes; a setup command has none. */
  pushToken?: string | undefined;
}

/** The whole environment of an agent: built from nothing, its granted secrets under their own names. */
export function agentEnvironment(
  { run, workspace, apiUrl, runToken, pushToken }: AgentContext,
  secrets: ReadonlyMap<string, string>,
): Record<string, string> {
  const environment: Record<string, string> = { ...Object.fromEntries(secrets) };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  // Set last: a secret of the same name must not stand in for who the run is.
  return {
    ...environment,
    HOME: workspace.path,
    MILLRACE_RUN_ID: run.id,
    MILLRACE_TURN: String(run.turn),
    MILLRACE_API_URL: apiUrl,
    ...(runToken === undefined ? {} : { MILLRACE_RUN_TOKEN: runToken }),
    ...(pushToken === undefined ? {} : { GITHUB_ACCESS_TOKEN: pushToken }),
    MILLRACE_PROMPT_FILE: workspace.promptFile,
    ...(workspace.payloadFile === undefined ? {} : { MILLRACE_PAYLOAD_FILE: workspace.payloadFile }),
    ...publicVariables({ run, workspace, apiUrl, ...(runToken === undefined ? {} : { runToken }) }),
  };
}

/** The names under which prompts and tools of the public service look for the same. */
function publicVariables({ run, workspace, apiUrl, runToken }: AgentContext): Record<string, string> {
  return {
    WORKSPACE_ROOT: workspace.path,
    OZ_RUN_ID: run.id,
    WARP_SERVER_ROOT_URL: apiUrl,
    ...(runToken === undefined ? {} : { WARP_API_KEY: runToken }),
    ...(run.factoryUid === null ? {} : { WARP_FACTORY_ID: run.factoryUid, WARP_FACTORY_ORIGIN: apiUrl }),
  };
}
