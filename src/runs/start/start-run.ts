import type { Priority } from "../../definitions/definition.ts";
import { invalidField } from "../../errors/error.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { EnvironmentStore } from "../agents/cloud-environment.ts";
import { runInField } from "../caller.ts";
import {
  type IdempotencyKey,
  type IdempotencyOutcome,
  idempotencyKey,
  refuseOtherRequest,
  type SentKey,
} from "../idempotency.ts";
import type { ArtifactBytes } from "../output/artifact-bytes.ts";
import type { RunMasks } from "../output/run-masks.ts";
import type { Pauses } from "../pauses.ts";
import type { Queue } from "../queue.ts";
import type { ChildStart, StartOutcome } from "../rules/family.ts";
import type { RunMode } from "../rules/plan.ts";
import type { NewRun, Run } from "../run.ts";
import type { RunSource } from "../run-source.ts";
import type { RunStore } from "../run-store.ts";
import { listedRepositories } from "../turn/needs.ts";
import { type AgentDeps, agentOfRun, isBetweenFactories } from "./agent-of-run.ts";
import {
  type ConfigDeps,
  checkAgentConfig,
  checkHarness,
  checkPromptSize,
  checkRunner,
  type RunBody,
  requestedAttachments,
  requestedCheckout,
  withKnownHarness,
} from "./check-request.ts";
import { environmentOf, type RunAgent, requestedRun } from "./requested-run.ts";

/** What starting a run stands on. */
export interface StartDeps extends AgentDeps {
  runs: RunStore;
  environments: Pick<EnvironmentStore, "find">;
  answers: ConfigDeps["answers"];
  /** Whether a type is a public one or one of the settings. */
  hasHarness(type: string): boolean;
  queue: Queue;
  /** Where the files that agents leave are kept. */
  artifacts: ArtifactBytes;
  /** Hides the secrets of a run in what its agent says. */
  masks: Pick<RunMasks, "maskOf" | "fileMaskOf">;
  pauses: Pauses;
  now: () => Date;
}

/** A request for a run. Sent again with the same key, it starts none, and is answered as before. */
export interface StartRequest {
  body: RunBody;
  source: RunSource;
  sent: SentKey;
}

/** A run that starts a run that starts a run: further down than this it is a loop. */
const MAX_ANCESTORS = 10;

/**
 * Starts a run that a key asks for: of the agent that is named, or of the only factory's foreman, or of no factory.
 * @returns the answer, as JSON
 */
export async function startRun(
  { body, source, sent }: StartRequest,
  key: ApiKey,
  deps: StartDeps,
): Promise<string> {
  const once = idempotencyKey(sent, key.principal.uid, body);
  const before = await answerBefore(once, deps);
  if (before !== undefined) return before;

  checkPromptSize(body.prompt, "prompt");
  await checkAgentConfig(body.config, "config", key, deps);
  const config = withKnownHarness(body.config ?? {});
  const parent = await parentOf(body, key, deps);
  const attachments = await requestedAttachments(body, parent, deps);

  const {
    prompt = "",
    title,
    skill,
    metadata,
    factory,
    agent: agentName,
    agent_identity_uid: agentUid,
  } = body;
  const agent = await agentOfRun(key, { agentUid, agentName, factory }, deps);
  const active = agent && "factory" in agent ? agent.factory.active : undefined;
  checkHarness(config, "config", deps);
  checkRunner(config, "config", active?.definition);
  const environmentUid = environmentOf(agent, config);
  const environment = environmentUid ? await deps.environments.find(environmentUid) : undefined;
  const environmentSecrets = environment?.config.secrets;

  const familyPriority = await priorityOfFamily(parent, deps);
  const request = {
    ...{ prompt, title, skill, config, metadata, parent, familyPriority, attachments, environmentSecrets },
  };
  const run = requestedRun(request, key.principal, source, agent);
  const execution = {
    ...run.execution,
    ...modeOf(body.mode, agent),
    ...requestedCheckout(body.checkout, listedRepositories(environment, active)),
    ...(!agent && isBetweenFactories(key, deps) ? { betweenFactories: true } : {}),
  };
  return storeRun({ ...run, execution }, once, deps);
}

async function parentOf({ parent_run_id: id }: RunBody, key: ApiKey, deps: StartDeps) {
  if (id === undefined) return undefined;
  const parent = await runInField(id, "parent_run_id", { caller: { kind: "key", key } }, deps);
  if (parent.ancestors.length < MAX_ANCESTORS) return parent;
  throw invalidField(
    "parent_run_id",
    `the parent run already has ${MAX_ANCESTORS} ancestors, which is the limit`,
  );
}

/** The priority of the run with which the family of a parent began. */
export async function priorityOfFamily(
  parent: Pick<Run, "ancestors" | "config" | "execution"> | undefined,
  { runs }: Pick<StartDeps, "runs">,
): Promise<Priority | undefined> {
  // An event begins a family of its own.
  const rootId = parent?.ancestors[parent.execution.foreignAncestors ?? 0];
  const root = rootId === undefined ? undefined : await runs.find(rootId);
  return (root ?? parent)?.config.priority;
}

/**
 * How a run works that is asked for. Only a foreman orchestrates, and it does so in any case.
 * @throws MillraceError `invalid_request` when another agent is to orchestrate
 */
function modeOf(mode: RunBody["mode"], agent: RunAgent | undefined): { mode?: RunMode } {
  if (mode === "plan") return { mode };
  if (mode !== "orchestrate") return {};
  if (!agent || !("factory" in agent))
    throw invalidField("mode", "orchestrate requires a factory, whose foreman gets the run");
  const { agents } = agent.factory.active.definition;
  const foreman = agents.find(({ type }) => type === "FOREMAN")?.name;
  if (foreman === undefined)
    throw invalidField("mode", "orchestrate requires a foreman, and the factory has none");
  if (foreman === agent.agent) return {};
  throw invalidField("mode", `orchestrate is for the foreman of the factory, ${JSON.stringify(foreman)}`);
}

/** What a request for a run is answered with, in the form of the public API. */
export interface StartedRun {
  run_id: string;
  task_id: string;
  state: "QUEUED";
  /** Whether it has to wait for another run to end. */
  at_capacity: boolean;
}

/**
 * The answer to a request that was sent before, whatever has become meanwhile of what it names.
 * @returns nothing for one that is new
 * @throws MillraceError `conflict` when its key was used for another request
 */
export async function answerBefore(
  once: IdempotencyKey | null,
  { runs }: Pick<StartDeps, "runs">,
): Promise<string | undefined> {
  const before = once ? await runs.findAnswer(once) : undefined;
  if (before && "differs" in before) return refuseOtherRequest();
  return before?.answer;
}

type StoreDeps = Pick<StartDeps, "runs" | "queue" | "pauses" | "now">;

/**
 * Stores a run together with the answer to its request, and wakes the queue for it.
 * @param shape what the answer says, where that is not as usual
 * @returns the answer; the first one, when the same request has come meanwhile
 * @throws MillraceError `conflict` when its key was used for another request meanwhile
 */
export async function storeRun(
  run: NewRun,
  once: IdempotencyKey | null,
  deps: StoreDeps,
  shape: (started: StartedRun) => object = (started) => started,
): Promise<string> {
  const answer = JSON.stringify(shape(await expectRun(run, deps)));
  const outcome = await settled(run, create(run, once, answer, deps), deps);
  if ("differs" in outcome) return refuseOtherRequest();
  return outcome.answer;
}

async function create(
  run: NewRun,
  once: IdempotencyKey | null,
  answer: string,
  { runs, now }: StoreDeps,
): Promise<IdempotencyOutcome> {
  const at = now().toISOString();
  // Another one with the same key may have come meanwhile: the store decides who is first.
  if (once) return runs.createOnce(run, once, answer, at);
  // One whose factory was deleted meanwhile is cancelled already, and takes no room.
  return { answer, isNew: (await runs.create(run, at)).state === "QUEUED" };
}

/** Stores a run that the agent of another one starts, unless a bound of its family refuses it. */
export async function storeChild(
  run: NewRun,
  start: Omit<ChildStart, "answer">,
  deps: StoreDeps,
): Promise<StartOutcome> {
  const answer = JSON.stringify(await expectRun(run, deps));
  return settled(run, deps.runs.startChild(run, { ...start, answer }, deps.now().toISOString()), deps);
}

/** Takes a place in the queue for a run that is about to be stored. */
async function expectRun(run: NewRun, { pauses, queue }: StoreDeps): Promise<StartedRun> {
  // A run that waits for the end of a pause, of an hour or of a day takes no room from those that wait for another one to end.
  const at_capacity =
    pauses.isPaused(run) ||
    (await queue.isHourFull(run.factoryUid)) ||
    (await queue.isBudgetUsedUp(run)) ||
    (await queue.expect(run));
  return { run_id: run.id, task_id: run.id, state: "QUEUED", at_capacity };
}

/** Wakes the queue for a run once it is stored; one that was not stored gives its place back. */
async function settled<Outcome extends object>(
  { id }: NewRun,
  storing: Promise<Outcome>,
  { queue }: StoreDeps,
): Promise<Outcome> {
  let isStored = false;
  try {
    const outcome = await storing;
    isStored = "isNew" in outcome && outcome.isNew === true;
    return outcome;
  } finally {
    if (isStored) queue.wake();
    else queue.forget(id);
  }
}
