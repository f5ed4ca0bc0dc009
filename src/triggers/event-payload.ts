import { DEFAULT_AGENT } from "../definitions/definition.ts";
import type { ActiveDefinition } from "../reconcile/active-definition.ts";
import type { Artifact } from "../runs/output/artifact.ts";
import type { RunStatusMessage } from "../runs/run.ts";
import type { EventDetails, EventTask, FactoryEvent } from "./factory-event.ts";

/** What triggers are held against. */
export interface EventFacts {
  event: FactoryEvent["name"];
  /** Null for a task that no run has moved. */
  run: { id: string; agent: string; automation: string | null; state: string } | null;
  /** The stage that a task has left, and the one that it has entered. */
  from?: string | null;
  to?: string;
}

/** What a run that an event starts finds in its file: the event, and what is known of the run and the task that it is about. */
export interface EventPayload extends EventFacts {
  factory: { uid: string; name: string };
  run:
    | (NonNullable<EventFacts["run"]> & {
        title: string;
        turn: number;
        answer: string | null;
        status_message: RunStatusMessage | null;
        parent_run_id: string | null;
        artifacts: object[];
      })
    | null;
  task?: EventTask;
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
      // A later turn has its own.
      status_message: run.turn === turn ? run.statusMessage : null,
      parent_run_id: run.ancestors.at(-1) ?? null,
      artifacts: artifacts.map(artifactOf),
    };
  return { event, factory, run: told, ...(task ? { task } : {}), ...stages };
}

function artifactOf({ type, createdAt, data }: Artifact): object {
  const content = data.content === undefined ? {} : { content: data.content.slice(0, MAX_PLAN) };
  return { artifact_type: type, created_at: createdAt, data: { ...data, ...content } };
}
