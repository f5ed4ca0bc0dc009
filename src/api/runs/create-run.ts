import { invalidField } from "../../errors/error.ts";
import { runInField } from "../../runs/caller.ts";
import type { RunMode } from "../../runs/rules/plan.ts";
import { environmentOf, type RunAgent, type RunRequest, requestedRun } from "../../runs/start/new-run.ts";
import { listedRepositories } from "../../runs/turn/needs.ts";
import { type BodyOf, type Called, keyOf, type Reply } from "../http/endpoint.ts";
import { continueConversation } from "./conversations.ts";
import type { CreateRequest, RunDeps } from "./find-run.ts";
import { agentOfRun, isBetweenFactories } from "./reached-agent.ts";
import {
  checkAgentConfig,
  checkHarness,
  checkPromptSize,
  checkRunner,
  refuseUnsupported,
  requestedAttachments,
  requestedCheckout,
  withKnownHarness,
} from "./requested-run.ts";
import { startChild } from "./start-child.ts";
import { sourceOf, startRun } from "./start-run.ts";

/** A run that starts a run that starts a run: further down than this it is a loop. */
const MAX_ANCESTORS = 10;

/**
 * `POST /agent/runs`: a run of the agent that is named, or of the only factory's foreman, or of no factory. With the token of
 * a run, it is a run that the agent of that run starts.
 */
export async function createRun(request: CreateRequest, deps: RunDeps): Promise<Reply<"createRun">> {
  const { caller } = request;
  if (caller.kind === "run") return startChild(request, caller.run, deps);
  refuseUnsupported({ ...request.body, mode: undefined });
  const { conversation_id } = request.body;
  if (conversation_id) return continueConversation(request, conversation_id, deps);
  return startRun(request, deps, async () => {
    const key = keyOf(request);
    const read = await readRequest(request, deps);
    const { agent_identity_uid: agentUid, agent: agentName, factory } = request.body;
    const agent = await agentOfRun(key, { agentUid, agentName, factory }, deps);
    const { config = {} } = read;
    checkHarness(config, "config", deps);
    checkRunner(config, "config", agent && "factory" in agent ? agent.factory.active.definition : undefined);
    const environmentUid = environmentOf(agent, config);
    const environment = environmentUid && (await deps.environments.find(environmentUid));
    const asked = environment ? { ...read, environmentSecrets: environment.config.secrets } : read;
    const run = requestedRun(asked, key.principal, sourceOf(request.http.request), agent);
    const active = agent && "factory" in agent ? agent.factory.active : undefined;
    const execution = {
      ...run.execution,
      ...modeOf(request.body.mode, agent),
      ...requestedCheckout(request.body.checkout, listedRepositories(environment || undefined, active)),
    };
    const isBetween = !agent && isBetweenFactories(key, deps);
    return { run: { ...run, execution: isBetween ? { ...execution, betweenFactories: true } : execution } };
  });
}

async function readRequest(request: CreateRequest, deps: RunDeps): Promise<RunRequest> {
  const { prompt, title, skill, config, metadata, parent_run_id } = request.body;
  checkPromptSize(prompt, "prompt");
  await checkAgentConfig(config, "config", keyOf(request), deps);
  const parent = parent_run_id === undefined ? undefined : await findParent(parent_run_id, request, deps);
  return {
    prompt: prompt ?? "",
    attachments: await requestedAttachments(request.body, parent, deps),
    ...(title === undefined ? {} : { title }),
    ...(skill === undefined ? {} : { skill }),
    ...(config === undefined ? {} : { config: withKnownHarness(config) }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(parent === undefined ? {} : { parent }),
  };
}

async function findParent(id: string, request: Called, deps: RunDeps) {
  const parent = await runInField(id, "parent_run_id", request, deps);
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
function modeOf(mode: BodyOf<"createRun">["mode"], agent: RunAgent | undefined): { mode?: RunMode } {
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
