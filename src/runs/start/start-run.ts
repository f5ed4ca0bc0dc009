import { invalidField } from "../../errors/error.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { EnvironmentStore } from "../agents/cloud-environment.ts";
import { runInField } from "../caller.ts";
import { idempotencyKey, type SentKey } from "../idempotency.ts";
import type { ArtifactBytes } from "../output/artifact-bytes.ts";
import type { RunMasks } from "../output/run-masks.ts";
import type { Pauses } from "../pauses.ts";
import type { Queue } from "../queue.ts";
import type { RunMode } from "../rules/plan.ts";
import type { RunSource } from "../run-source.ts";
import type { RunStore } from "../run-store.ts";
import { listedRepositories } from "../turn/needs.ts";
import { type AgentDeps, agentOfRun, isBetweenFactories } from "./agent-of-run.ts";
import {
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
import { answerBefore, storeRun } from "./store-run.ts";

/** What starting a run stands on. */
export interface StartDeps extends AgentDeps {
  runs: RunStore;
  environments: Pick<EnvironmentStore, "find">;
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

  const request = { prompt, title, skill, config, metadata, parent, attachments, environmentSecrets };
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
