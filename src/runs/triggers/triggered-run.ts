import { type Automation, DEFAULT_AGENT, type ProviderTrigger } from "../../definitions/definition.ts";
import { compileEvent } from "../../definitions/events/compile-event.ts";
import { ANSWER_FILTER } from "../../definitions/events/factory-events.ts";
import { compileFilter } from "../../definitions/filters/compile-filter.ts";
import type { PayloadPattern } from "../../definitions/filters/filter.ts";
import { newUuid } from "../../id.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Artifact } from "../rules/artifact.ts";
import { EVENT_PAYLOAD } from "../rules/workspace-names.ts";
import type { Run } from "../run.ts";
import {
  automationTemplate,
  type EventFacts,
  type EventPayload,
  eventWords,
} from "../start/automation-run.ts";
import type { RunFactory } from "../start/requested-run.ts";
import type { EventDetails, FactoryEvent, TriggeredStart } from "./factory-event.ts";

/** An enabled automation with its triggers of the factory's own events, ready to be asked. */
export interface CompiledListener {
  automationUid: string;
  automation: Automation;
  /** @param answer the answer of the run as JSON has it, null where there is none; left out while it is not known, when any may match */
  matches(facts: EventFacts, answer?: unknown): boolean;
}

/** The automations of a factory that its own events start. */
export function listenersOf({ active }: Pick<Factory, "active">): CompiledListener[] {
  const enabled = active?.definition.automations.filter((automation) => automation.enabled) ?? [];
  return enabled.flatMap((automation) => {
    const events = automation.triggers.filter(isOwn).map((trigger) => {
      const pattern = trigger.filter[ANSWER_FILTER] as PayloadPattern | null | undefined;
      return { ...compileEvent(trigger), ofAnswer: pattern == null ? undefined : compileFilter(pattern) };
    });
    const automationUid = active?.uidOf("automation", automation.name);
    if (events.length === 0 || automationUid === undefined) return [];
    const matches = (facts: EventFacts, answer?: unknown) =>
      events.some(
        ({ matches, ofAnswer }) =>
          matches({ event: facts.event, payload: facts }) &&
          (answer === undefined || ofAnswer === undefined || ofAnswer.matches(answer)),
      );
    return [{ automationUid, automation, matches }];
  });
}

function isOwn(
  trigger: Automation["triggers"][number],
): trigger is ProviderTrigger & { provider: "factory" } {
  return trigger.provider === "factory";
}

/** The run of an automation that an event of its factory starts. It descends from the run that has caused the event. */
export function triggeredRun(
  { automation, automationUid }: CompiledListener,
  { event, payload, cause }: { event: FactoryEvent; payload: EventPayload; cause: Run | null },
  factory: RunFactory,
): TriggeredStart {
  const template = automationTemplate(factory, automation);
  const ancestors = cause ? [...cause.ancestors, cause.id] : [];
  const content = Buffer.from(JSON.stringify(payload));
  const run = {
    ...template,
    ...eventWords(automation, payload),
    id: newUuid(),
    automationUid,
    source: "ORCHESTRATION" as const,
    webhookUid: null,
    ancestors,
    execution: {
      ...template.execution,
      trigger: {
        event: event.name,
        ...(cause ? { runId: cause.id } : {}),
        ...(event.move ? { taskUid: event.move.taskUid } : {}),
      },
      ...(cause ? { foreignAncestors: ancestors.length } : {}),
    },
    attachments: [{ name: EVENT_PAYLOAD, mimeType: "application/json", content }],
  };
  return { event, automation: automation.name, run };
}

/** Longer texts of plans are cut: the run's page has them whole. */
const MAX_PLAN = 16_384;

/** An event with its names in place of uids. A name that is gone is that of the tombstone. */
export function factsOf(
  { name: event, run, move }: FactoryEvent,
  { resources }: Pick<ActiveDefinition, "resources">,
): EventFacts {
  const nameOf = (kind: "agent" | "automation", uid: string | null) =>
    resources.find((each) => each.kind === kind && each.uid === uid)?.name;
  const named = run && {
    id: run.id,
    agent: nameOf("agent", run.agentUid) ?? DEFAULT_AGENT,
    automation: nameOf("automation", run.automationUid) ?? null,
    state: run.state,
  };
  return { event, run: named, ...(move ? { from: move.from, to: move.to } : {}) };
}

/** An event with all that its run is told of it. */
export function eventPayload(
  { event, run: named, ...stages }: EventFacts,
  factory: { uid: string; name: string },
  turn: number,
  { run, answer, artifacts, task }: EventDetails,
): EventPayload {
  const told = run &&
    named && {
      ...named,
      title: run.title,
      turn,
      answer,
      answer_json: answerOf(run, turn),
      // A later turn has its own.
      status_message: run.turn === turn ? run.statusMessage : null,
      parent_run_id: run.ancestors.at(-1) ?? null,
      artifacts: artifacts.map(artifactOf),
    };
  return { event, factory, run: told, ...(task ? { task } : {}), ...stages };
}

/** The answer of a turn that has a schema, as JSON has it. A later turn has its own. */
export function answerOf(run: Pick<Run, "answerJson" | "answerJsonTurn"> | null, turn: number): unknown {
  return run && run.answerJson !== null && run.answerJsonTurn === turn ? JSON.parse(run.answerJson) : null;
}

function artifactOf({ type, createdAt, data }: Artifact): object {
  const content = data.content === undefined ? {} : { content: data.content.slice(0, MAX_PLAN) };
  return { artifact_type: type, created_at: createdAt, data: { ...data, ...content } };
}
