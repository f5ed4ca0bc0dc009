import { timeLimit } from "../../concurrency/promises.ts";
import type { Ending, FailedServer, Run } from "../../runs/run.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import { CANCELLED, setupFailed } from "../../runs/turn/ending.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import type { RunSignals } from "../../runs/turn/turn-signals.ts";
import type { FileWorker } from "../files/file-worker.ts";
import type { GuardedKey } from "../harness/guarded-key.ts";
import type { HarnessRow } from "../harness/harness.ts";
import { addServers } from "../harness/own-server.ts";
import type { NetworkLog } from "../network/network-log.ts";
import { PROXY_URL } from "../network/proxy-environment.ts";
import type { TranscriptWriter } from "../output/transcript-writer.ts";
import type { HeldNetwork, Launch, Sandbox } from "../sandbox/sandbox.ts";
import type { AgentSupervisor } from "../supervisor/agent-supervisor.ts";
import { ownServer, serversOfRun } from "../workspace/mcp-servers.ts";
import { runSetup } from "../workspace/setup.ts";
import { type Workspace, writeTurn } from "../workspace/workspace.ts";
import type { TakenWorkspace } from "../workspace/workspaces.ts";
import { agentEnvironment } from "./agent-environment.ts";
import type { BudgetWatch } from "./budget-watch.ts";
import { keyOfTurn } from "./key-of-turn.ts";
import { type PrepareDeps, prepareRun } from "./prepare.ts";
import { runProgram } from "./run-program.ts";
import { turnPrompt } from "./turn-prompt.ts";

export interface TurnDeps extends PrepareDeps {
  sandbox: Sandbox;
  host: Pick<AgentSupervisor, "start">;
  files: Pick<FileWorker, "run">;
  /** Where the agent reaches the API. */
  apiUrl: () => string;
  /** A file with certificates of authorities that this machine trusts beside the usual ones. */
  authorityFile?: string | undefined;
  /** Variables with proxies that this machine has to use. */
  proxies?: Record<string, string> | undefined;
}

/** A turn that a worker has begun with. */
export interface BegunTurn {
  assignment: Assignment;
  run: Run;
  door: TurnDoor;
  program: HarnessRow;
  /** The key of the program. */
  key: string | undefined;
  /** What must not be shown. */
  hidden: readonly string[];
  taken: TakenWorkspace;
  /** Where the credential is with which the image is pulled. */
  registryAuth: string | undefined;
  transcript: TranscriptWriter;
  budget: BudgetWatch;
  /** Where it is told what the programs of the turn reach. */
  networkLog: NetworkLog;
  /** Ends the turn because it has gone over a limit; the reason says which. */
  limit: AbortSignal;
}

/**
 * Prepares the workspace, for as long as a turn may take, and writes what the turn asks.
 * @returns the end of the run; or nothing, for one that the next server prepares again
 */
export async function prepareTurn(
  turn: BegunTurn,
  deps: TurnDeps,
  { stop, cancel }: RunSignals,
): Promise<ReadyTurn | Ending | undefined> {
  const { assignment, run, door, taken, transcript, limit } = turn;
  const { setupCommands, timeoutMs, setupTimeoutMs = timeoutMs } = assignment;
  const { signal, end } = timeLimit(timeoutMs, stop, cancel, limit);
  try {
    const guarded = keyOfTurn(turn, deps.sandbox);
    // Setup commands get no token: it opens nothing before the agent starts.
    const environmentIn = (workspace: Workspace) =>
      agentEnvironment({ run, workspace, apiUrl: apiUrlOf(turn, deps) }, guarded.secrets);
    const setUp = async (workspace: Workspace) => {
      if (setupCommands.length > 0) await deps.sandbox.chownWorkspace(run.id, workspace.path, deps.files);
      return runSetup(setupCommands, {
        runId: run.id,
        launch: (command) => launchOf(command, turn, deps, environmentIn(workspace)),
        sandbox: deps.sandbox,
        host: deps.host,
        onNetwork: turn.networkLog.follow,
        transcript,
        secrets: turn.hidden,
        timeoutMs: setupTimeoutMs,
        signal: AbortSignal.any([stop, cancel]),
        limit,
      });
    };
    // What a turn is to be given stands since it was claimed, and need not wait for the workspace.
    const messages = door.listMessages();
    messages.catch(() => {});
    const prepared = await prepareRun({ ...turn, setUp, signal }, deps);
    if ("state" in prepared) return prepared;
    const prompt = turnPrompt(run, await messages, {
      skill: prepared.skill,
      joined: prepared.joined,
      conversation: prepared.startsAnew ? await door.findConversation() : undefined,
      // Programs whose settings name the tools of the server have those.
      tellsCommand: deps.sandbox.hasCommand && turn.program.mcp === undefined,
    });
    // After the setup commands, which get no token and may write the settings of a program themselves.
    const serverUrl = deps.sandbox.reachesApi ? apiUrlOf(turn, deps) : undefined;
    const own = serverUrl === undefined ? undefined : ownServer(serverUrl, assignment.runToken);
    await writeTurn(taken.path, run, { prompt, own });
    const problem = await addServers(turn.program, taken.path, serversOfRun(run.config), serverUrl);
    if (problem !== undefined) transcript.note(problem);
    const checked = await checkServers(turn, deps, environmentIn(prepared.workspace), { stop, cancel });
    if ("state" in checked) return checked;
    return { workspace: prepared.workspace, prompt, guarded, ...checked };
  } catch (error) {
    if (cancel.aborted) return CANCELLED;
    if (stop.aborted) return undefined;
    if (limit.aborted) return setupFailed(String(limit.reason));
    if (!signal.aborted) throw error;
    return setupFailed(
      `Preparing the workspace was stopped: it exceeded the time limit of ${timeoutMs / 1000} s (MILLRACE_RUN_TIMEOUT).`,
    );
  } finally {
    end();
  }
}

/**
 * Starts each MCP server of the run once, where its agent will, and tells of those that do not start: few programs do.
 * @returns the end of the run, when it requires one of them
 */
async function checkServers(
  turn: BegunTurn,
  deps: TurnDeps,
  environment: Record<string, string>,
  { stop, cancel }: Pick<RunSignals, "stop" | "cancel">,
): Promise<Pick<ReadyTurn, "failedServers"> | Ending> {
  const { run, taken, transcript, hidden, limit } = turn;
  const servers = serversOfRun(run.config);
  // Without the command, the program of the turn tells what it knows.
  if (Object.keys(servers).length === 0 || !deps.sandbox.hasCommand) return { failedServers: [] };
  await deps.sandbox.chownWorkspace(run.id, taken.path, deps.files);
  const said: Buffer[] = [];
  const signal = AbortSignal.any([stop, cancel]);
  const end = await runProgram({
    ...{ runId: run.id, sandbox: deps.sandbox, host: deps.host, secrets: hidden, signal, limit },
    launch: launchOf(["sh", "-c", "exec millrace agent check-servers"], turn, deps, environment),
    input: JSON.stringify(servers),
    timeoutMs: CHECK_LIMIT_MS,
    onNetwork: turn.networkLog.follow(),
    transcript: {
      async append(pieces) {
        for (const { stream, bytes } of pieces) if (stream === "stdout") said.push(Buffer.from(bytes));
        return true;
      },
    },
  });
  signal.throwIfAborted();
  if (limit.aborted) return setupFailed(String(limit.reason));
  const failed = failedIn(Buffer.concat(said).toString("utf8"), servers);
  if (failed === undefined) {
    const why = `the MCP servers of the run could not be checked (${end.kind})`;
    transcript.note(why);
    const needsOne = Object.values(servers).some(({ required }) => required);
    if (needsOne) return setupFailed(`One of the required MCP servers may not start: ${why}.`);
    return { failedServers: [] };
  }
  for (const { name, reason } of failed) transcript.note(`the MCP server ${name} did not start: ${reason}`);
  if (failed.length > 0) await turn.door.keepReport({ failedServers: failed });
  const needed = failed.find(({ name }) => servers[name]?.required);
  if (needed) return setupFailed(`The required MCP server ${needed.name} did not start: ${needed.reason}.`);
  return { failedServers: failed.map(({ name }) => name) };
}

/** A server may take a minute. */
const CHECK_LIMIT_MS = 90_000;

/** What the check has written, which is no more to be trusted than the programs beside which it has run. */
function failedIn(text: string, servers: object): FailedServer[] | undefined {
  let failed: unknown;
  try {
    failed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(failed)) return undefined;
  return failed
    .filter((each) => typeof each?.name === "string" && Object.hasOwn(servers, each.name))
    .map(({ name, reason }) => ({ name, reason: String(reason).replaceAll(/\s+/g, " ").slice(0, 400) }));
}

/** What a turn still lacks before its agent can start. */
export interface ReadyTurn {
  workspace: Workspace;
  prompt: string;
  /** What the program is given for its key. */
  guarded: GuardedKey;
  /** The MCP servers that have been told of because they do not start. */
  failedServers: readonly string[];
}

/** Where programs of a turn reach the API: where their network is held to a policy, through their proxy. */
export function apiUrlOf(
  { assignment }: Pick<BegunTurn, "assignment">,
  { apiUrl }: Pick<TurnDeps, "apiUrl">,
): string {
  return assignment.network ? PROXY_URL : apiUrl();
}

/**
 * What is spawned for a program of the run, on the machine that it asks for.
 * @param own the secrets and services of its harness
 */
export function launchOf(
  command: readonly string[],
  { assignment, run, taken, registryAuth }: BegunTurn,
  {
    sandbox,
    apiUrl,
    authorityFile,
    proxies,
  }: Pick<TurnDeps, "sandbox" | "apiUrl" | "authorityFile" | "proxies">,
  environment: Record<string, string>,
  own: Pick<HeldNetwork, "injections" | "endpoints"> = { injections: [], endpoints: [] },
): Launch {
  const { network: policy } = assignment;
  const injections = [...(assignment.injections ?? []), ...own.injections];
  const { endpoints } = own;
  const network = policy && { policy, apiUrl: apiUrl(), injections, endpoints, authorityFile, proxies };
  const launch = sandbox.launch({
    runId: run.id,
    command,
    workspace: taken.path,
    starts: Object.values(serversOfRun(run.config)).flatMap(({ command, args = [] }) =>
      command === undefined ? [] : [[command, ...args]],
    ),
    environment,
    network,
    registryAuth,
    ...assignment.machine,
  });
  return network || endpoints.length === 0
    ? launch
    : { ...launch, endpoints: { endpoints, injections, authorityFile, proxies } };
}
