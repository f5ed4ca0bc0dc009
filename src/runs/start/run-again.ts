import { automationTitle } from "../../definitions/automation-title.ts";
import type { Automation } from "../../definitions/definition.ts";
import { providerOf } from "../../definitions/listening.ts";
import { parseJson } from "../../edge/read-body.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import type { Principal } from "../../principals/principal.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import { withoutCredentials } from "../agents/agent-identity.ts";
import { idempotencyKey, type SentKey } from "../idempotency.ts";
import { hasEnded } from "../rules/state.ts";
import { EVENT_PAYLOAD } from "../rules/workspace-names.ts";
import type { NewRun, Run } from "../run.ts";
import type { RunExecution } from "../run-config.ts";
import { scheduleWords } from "../run-source.ts";
import { automationTemplate, type EventPayload, eventWords, runOf } from "./automation-run.ts";
import { checkHarness, checkRunner } from "./check-request.ts";
import { environmentOf, foremanOf, type RunAgent, type RunFactory, requestedRun } from "./requested-run.ts";
import { answerBefore, type StartDeps, storeRun } from "./start-run.ts";

/**
 * Starts a run that repeats one that has ended.
 * @param body that of the request, which its key is bound to
 * @returns the answer, as JSON
 */
export async function runAgain(
  run: Run,
  { sent, body, creator }: { sent: SentKey; body: unknown; creator: Principal },
  deps: StartDeps,
): Promise<string> {
  const once = idempotencyKey(sent, creator.uid, body);
  const before = await answerBefore(once, deps);
  if (before !== undefined) return before;
  const repeated = await repeatedRun(run, creator, deps);
  return storeRun(repeated.run, once, deps);
}

export type RepeatDeps = Pick<StartDeps, "runs" | "factories" | "identities" | "environments" | "hasHarness">;

/** A run that repeats another one, and what it is made from. */
export interface RepeatedRun {
  run: NewRun;
  /** As it is in force now; nothing for a run that no automation has started, or whose automation is gone. */
  automation?: Automation;
  /** The secrets that its environment grants. */
  environmentSecrets: readonly string[];
}

/**
 * A run that repeats one that has ended: of its automation alone, as that is in force now, whatever its filters say of the
 * delivery. A run that was requested, or whose automation is gone, is repeated with the configuration that was recorded,
 * by its agent and with the secrets that this agent is granted now.
 * @throws MillraceError `conflict` when something that it needs is gone
 */
export async function repeatedRun(run: Run, creator: Principal, deps: RepeatDeps): Promise<RepeatedRun> {
  if (!hasEnded(run.state)) throw notEnded(run);
  const factory = run.factoryUid === null ? undefined : factoryOf(run, run.factoryUid, deps);
  const hasPayload = run.deliveryId !== null || run.execution.trigger !== undefined;
  const payload = hasPayload ? await payloadOf(run, deps) : undefined;
  const rerun = { of: run.id, deliveryId: run.deliveryId };
  const own = { creator, ancestors: run.ancestors, attachments: [], rerun };
  const placed = (made: NewRun): NewRun => ({ ...made, ...own, execution: placedAs(run, made.execution) });
  const automation = factory && automationOf(run, factory.active);
  if (factory && automation) {
    const made = ofAutomation(run, factory, automation, payload);
    return { run: placed(made), automation, environmentSecrets: [] };
  }
  const { made, environmentSecrets } = await ofRequest(run, factory, creator, deps);
  return { run: placed(made), environmentSecrets };
}

/** In its family, it stands where the run that it repeats stands: no more generations descend from it. */
function placedAs({ ancestors, execution }: Run, own: RunExecution): RunExecution {
  const { trigger, foreignAncestors } = execution;
  const made = {
    ...own,
    ...(trigger === undefined ? {} : { trigger }),
    ...(foreignAncestors === undefined ? {} : { foreignAncestors }),
  };
  if (ancestors.length === 0 || !made.starts) return made;
  const { starts, ...without } = made;
  const depth = Math.min(starts.depth, execution.starts?.depth ?? 0);
  return depth > 0 ? { ...made, starts: { ...starts, depth } } : without;
}

function ofAutomation(
  { webhookUid, deliveryId, execution, source, scheduleId, schedule, createdAt, id }: Run,
  factory: RunFactory,
  automation: Automation,
  payload: Uint8Array | undefined,
): NewRun {
  const template = automationTemplate(factory, automation);
  if (deliveryId !== null && payload) {
    const webhook = factory.active.resources.find(
      ({ kind, uid }) => kind === "webhook" && uid === webhookUid,
    );
    const heard = factory.active.webhooks.find(({ uid }) => uid === webhookUid);
    const provider = heard && providerOf(heard.webhook);
    return runOf(
      { template, prompt: automation.prompt, titleOf: automationTitle(automation, provider) },
      {
        webhookUid: webhookUid ?? "",
        webhookName: webhook?.name ?? "",
        deliveryId,
        event: execution.event ?? null,
        payload: parseJson(payload)?.value,
        bytes: payload,
        authors: [],
      },
      source,
    );
  }
  if (execution.trigger && payload) {
    const words = eventWords(automation, JSON.parse(Buffer.from(payload).toString()) as EventPayload);
    return { ...template, ...words, id: newUuid(), webhookUid: null, source, scheduleId, attachments: [] };
  }
  const origin = schedule ? `by the schedule ${scheduleWords(schedule)} ` : "";
  const envelope = `---\nThis run repeats the run ${id}, which was started ${origin}at ${createdAt}.`;
  return {
    ...template,
    id: newUuid(),
    title: automationTitle(automation)(undefined),
    webhookUid: null,
    source,
    scheduleId,
    ...(schedule ? { schedule } : {}),
    prompt: [automation.prompt, envelope].filter((part) => part !== "").join("\n\n"),
    attachments: [],
  };
}

async function ofRequest(
  run: Run,
  factory: RunFactory | undefined,
  creator: Principal,
  deps: RepeatDeps,
): Promise<{ made: NewRun; environmentSecrets: readonly string[] }> {
  const { prompt, title, config, metadata, source, scheduleId, schedule, webhookUid, execution } = run;
  const agent = await agentOf(run, factory, deps);
  checkHarness(config, "config", deps);
  checkRunner(config, "config", factory?.active.definition);
  const environmentUid = environmentOf(agent, config);
  const environment = environmentUid === undefined ? undefined : await deps.environments.find(environmentUid);
  if (environmentUid !== undefined && !environment) throw gone(run, `its environment ${environmentUid}`);
  const environmentSecrets = environment?.config.secrets ?? [];
  const made = requestedRun({ prompt, title, config, metadata, environmentSecrets }, creator, source, agent);
  const { event, checkout, requestedCheckout, betweenFactories } = execution;
  return {
    environmentSecrets,
    made: {
      ...made,
      webhookUid,
      scheduleId,
      ...(schedule ? { schedule } : {}),
      execution: {
        ...made.execution,
        ...(event === undefined ? {} : { event }),
        ...(checkout === undefined ? {} : { checkout }),
        ...(requestedCheckout === undefined ? {} : { requestedCheckout }),
        ...(betweenFactories ? { betweenFactories } : {}),
      },
    },
  };
}

function factoryOf(run: Run, uid: string, { factories }: RepeatDeps): RunFactory {
  const active = factories.list().find(({ record }) => record.uid === uid)?.active;
  if (active) return { uid, active };
  throw new MillraceError(
    "conflict",
    `Run ${run.id} cannot be run again: its factory was deleted, or has no active definition.`,
    {
      remedy: "Create a new run in another factory with `millrace runs create --factory NAME`.",
      retryable: false,
    },
  );
}

function automationOf(
  { automationUid }: Run,
  { definition, uidOf }: ActiveDefinition,
): Automation | undefined {
  if (automationUid === null) return undefined;
  return definition.automations.find(({ name }) => uidOf("automation", name) === automationUid);
}

/** Whoever took the run, as they are now. */
async function agentOf(
  run: Run,
  factory: RunFactory | undefined,
  { identities, factories }: RepeatDeps,
): Promise<RunAgent | undefined> {
  const { agentUid, executor } = run;
  if (factory) {
    const { definition, uidOf } = factory.active;
    if (agentUid === null) return { factory, agent: foremanOf(definition) };
    const agent = definition.agents.find(({ name }) => uidOf("agent", name) === agentUid);
    if (!agent) throw gone(run, `its agent "${executor.displayName}"`);
    return { factory, agent: agent.name };
  }
  if (agentUid === null) return undefined;
  const identity = await identities.find(agentUid);
  if (!identity) throw gone(run, `its agent "${executor.displayName}"`);
  return { identity: withoutCredentials(identity, factories.list()) };
}

async function payloadOf(run: Run, { runs }: RepeatDeps): Promise<Uint8Array> {
  const payload = await runs.findAttachment(run.id, EVENT_PAYLOAD);
  if (payload?.content) return payload.content;
  throw new MillraceError(
    "conflict",
    `Run ${run.id} cannot be run again: the payload of its delivery was deleted.`,
    { remedy: "Have the sender send the delivery again.", retryable: false },
  );
}

function notEnded({ id, state }: Run): MillraceError {
  return new MillraceError("conflict", `Run ${id} is ${state}, and only an ended run can be run again.`, {
    remedy:
      state === "BLOCKED"
        ? `Answer its question, or end it with \`millrace runs dismiss ${id}\` first.`
        : `Wait until it has ended, or cancel it with \`millrace runs cancel ${id}\` first.`,
    retryable: false,
  });
}

function gone({ id }: Run, what: string): MillraceError {
  return new MillraceError("conflict", `Run ${id} cannot be run again: ${what} no longer exists.`, {
    remedy: "Create a new run with `millrace runs create`.",
    retryable: false,
  });
}
