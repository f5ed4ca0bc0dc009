import { timeLimit } from "../../concurrency/promises.ts";
import { MillraceError } from "../../errors/error.ts";
import { namesProxy } from "../../platform/proxies.ts";
import { type FollowUp, givenText } from "../../runs/rules/follow-up.ts";
import { answerSchema, expectedAnswer, STILL_EXPECTED } from "../../runs/rules/output-answer.ts";
import { isPlanning, PLAN_ONLY } from "../../runs/rules/plan.ts";
import type { Ending, FailedServer, Run } from "../../runs/run.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import { CANCELLED, setupFailed } from "../../runs/turn/ending.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import type { RunSignals } from "../../runs/turn/turn-signals.ts";
import type { SetupStart } from "../../runs/turn/turn-start.ts";
import type { FileWorker } from "../files/file-worker.ts";
import {
  type GuardedKey,
  guardKey,
  redirectsKey,
  takesBaseUrl,
  unguardedKey,
} from "../harness/guarded-key.ts";
import type { HarnessRow } from "../harness/harness.ts";
import { addServers } from "../harness/own-server.ts";
import type { NetworkLog } from "../network/network-log.ts";
import { LOCAL_ORIGIN, PROXY_URL } from "../network/proxy-environment.ts";
import type { TranscriptWriter } from "../output/transcript-writer.ts";
import type { HeldNetwork, Launch, Sandbox } from "../sandbox/sandbox.ts";
import type { AgentSupervisor } from "../supervisor/agent-supervisor.ts";
import { ownServer, serversOfRun } from "../workspace/mcp-servers.ts";
import { type Workspace, writeTurn } from "../workspace/workspace.ts";
import type { TakenWorkspace } from "../workspace/workspaces.ts";
import type { BudgetWatch } from "./budget-watch.ts";
import { type CachedSetupDeps, cachedSetup } from "./cached-setup.ts";
import { type PrepareDeps, prepareRun } from "./prepare.ts";
import { runProgram } from "./run-program.ts";
import { runSetup } from "./setup.ts";

export interface TurnDeps extends PrepareDeps, Pick<CachedSetupDeps, "snapshots"> {
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
    const runCommands = (environment: Record<string, string>) =>
      runSetup(setupCommands, {
        runId: run.id,
        launch: (command) => launchOf(command, turn, deps, environment),
        sandbox: deps.sandbox,
        host: deps.host,
        onNetwork: turn.networkLog.follow,
        transcript,
        secrets: turn.hidden,
        timeoutMs: setupTimeoutMs,
        signal: AbortSignal.any([stop, cancel]),
        limit,
      });
    const setupOf = (workspace: Workspace, attachmentNames: readonly string[]) => {
      // Others may use what commands make that do not know the payload.
      const shared = environmentIn({ ...workspace, payloadFile: undefined });
      const setup = cachedSetup(
        {
          ...{ assignment, run, transcript, attachmentNames, signal },
          workspace: workspace.path,
          environment: shared,
          secrets: guarded.secrets,
          placeholders: placeholdersOf(assignment, guarded),
          giveWorkspace: () => deps.sandbox.chownWorkspace(run.id, workspace.path, deps.files),
          execute: () => runCommands(setup.isCached ? shared : environmentIn(workspace)),
        },
        deps,
      );
      return setup;
    };
    // What a turn is to be given stands since it was claimed, and need not wait for the workspace.
    const messages = door.listMessages();
    messages.catch(() => {});
    const prepared = await prepareRun({ ...turn, setupOf, signal }, deps);
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
    return { workspace: prepared.workspace, prompt, guarded, setup: prepared.setup, ...checked };
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
    runId: run.id,
    sandbox: deps.sandbox,
    host: deps.host,
    secrets: hidden,
    signal,
    limit,
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

/** Texts in place of secrets, which a proxy replaces. */
function placeholdersOf({ injections = [] }: Assignment, guarded: GuardedKey): string[] {
  return [...injections, ...guarded.injections].map(({ placeholder }) => placeholder);
}

/** What a turn still lacks before its agent can start. */
export interface ReadyTurn {
  workspace: Workspace;
  prompt: string;
  /** What the program is given for its key. */
  guarded: GuardedKey;
  /** The MCP servers that have been told of because they do not start. */
  failedServers: readonly string[];
  /** How the setup of its workspace went, where there is something to tell. */
  setup?: SetupStart | undefined;
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

/**
 * What the program of a turn is given for its key. Where the network is limited, the proxy of the run has it. Otherwise, a program
 * that can be told where to find its model finds it on the loopback interface; others have their key.
 * @throws MillraceError `environment_setup_failed` where the proxy of a run cannot put the key in, or a secret would say where a key
 *   goes that whoever executes the run has in its environment
 */
function keyOfTurn(
  { assignment, program, key: named }: Pick<BegunTurn, "assignment" | "program" | "key">,
  { findsLocalServices }: Pick<Sandbox, "findsLocalServices">,
): GuardedKey {
  const { network, secrets: granted, injections: injected = [] } = assignment;
  const isOwn = named !== undefined && assignment.key !== undefined && "fromEnvironment" in assignment.key;
  const redirecting = [...granted.keys()].find((name) => redirectsKey(program, name));
  // Whoever writes a definition would take the key otherwise, also by having it given to the program itself.
  if (isOwn && redirecting !== undefined) throw wouldRedirect(redirecting);
  if (network) {
    const guarded = guardKey(program, { granted, named, injected, origin: PROXY_URL });
    if ("problem" in guarded) throw cannotGuard(guarded.problem);
    return guarded;
  }
  // It would ask its own proxy for the loopback interface.
  const hasProxy = namesProxy({ ...Object.fromEntries(granted), ...program.environment });
  if (!findsLocalServices || hasProxy || !takesBaseUrl(program))
    return unguardedKey(program, { granted, named });
  const guarded = guardKey(program, { granted, named, origin: LOCAL_ORIGIN });
  return "problem" in guarded ? unguardedKey(program, { granted, named }) : guarded;
}

function wouldRedirect(name: string): MillraceError {
  return new MillraceError(
    "environment_setup_failed",
    `The secret ${name} would determine where the API key of the agent's program is sent, and this key belongs to the server or worker (auth.source is workerEnvironment)`,
    {
      remedy: `Remove ${name} from the secrets of the run, or specify a secret in auth. For a gateway or a proxy for all runs, set ${name} under environment: of the harness in millrace.yaml.`,
    },
  );
}

function cannotGuard(problem: string): MillraceError {
  return new MillraceError(
    "environment_setup_failed",
    `The network proxy cannot put in the API key of the agent's program: ${problem}`,
    { remedy: "Correct the value, or set injectKey: false for the harness in millrace.yaml." },
  );
}

interface TurnPromptOptions {
  /** What the run's skill says to the agent. */
  skill?: string;
  /** Whether the agent has the command `millrace` and is not told of it in another way. */
  tellsCommand?: boolean;
  /** What was said in earlier turns, to an agent that starts in a new workspace. */
  conversation?: string | undefined;
  /** The files with its deliveries, oldest first, of a run that has several. */
  joined?: readonly string[];
}

/**
 * What an agent is asked in a turn: in the first one its own prompt, the text of its skill, the request
 * with its envelope and what came while that waited, one empty line between them; later what was said since. A
 * later turn in a new workspace begins like the first one, with the conversation so far in place of the request. A run
 * whose first turn ended before an agent was started has its whole prompt still to be read.
 */
function turnPrompt(
  run: Pick<Run, "config" | "prompt" | "turn" | "startedAt" | "execution" | "planState">,
  messages: readonly Pick<FollowUp, "message" | "from" | "creator" | "isRepeated">[],
  { skill = "", tellsCommand = false, conversation, joined = [] }: TurnPromptOptions = {},
): string {
  const said = messages.map((message) =>
    message.isRepeated ? `${REPEATED}\n${givenText(message)}` : givenText(message),
  );
  const isFirst = run.turn === 1 || run.startedAt === null;
  const request = isFirst ? [run.prompt, ...joinedText(joined)].join("\n") : conversation;
  const schema = answerSchema(run);
  const parts =
    request === undefined
      ? [schema ? STILL_EXPECTED : "", ...said]
      : [
          tellsCommand ? COMMAND : "",
          schema ? expectedAnswer(schema) : "",
          run.config.base_prompt ?? "",
          skill,
          request,
          ...said,
        ];
  return [isPlanning(run) ? PLAN_ONLY : "", ...parts]
    .map(withoutEmptyEdges)
    .filter((part) => part !== "")
    .join("\n\n");
}

/** At the start: scripts that stand in for agents read their request from the end. */
const COMMAND =
  "[millrace: `millrace agent --help` lists what you can do in this run, for example ask a person, report a result, give your answer, or start another agent.]";

/** Deliveries that came while the run waited are one with the one that its prompt names. */
function joinedText(joined: readonly string[]): string[] {
  if (joined.length < 2) return [];
  return [
    `This run is about ${joined.length} deliveries. Their JSON bodies are these files, oldest first, with the id of the delivery at the end of the name; event-payload.json is the newest of them:`,
    ...joined.map((name) => `- ${name}`),
  ];
}

const REPEATED =
  "[millrace: The previous turn ended before its agent confirmed the following message. If you have already acted on it, do not act on it again.]";

/** The body of a Markdown file begins with the empty line that people leave after its front matter. */
function withoutEmptyEdges(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

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
