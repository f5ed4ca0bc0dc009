import type { FactoryEventName } from "../../definitions/events/factory-events.ts";
import type { Artifact } from "../rules/artifact.ts";
import type { RunState } from "../rules/state.ts";
import type { NewRun, Run } from "../run.ts";
import type { EventTask } from "../start/automation-run.ts";

/** Something that has happened in a factory, as the log of changes has it. */
export interface FactoryEvent {
  /** How far the log is read with it. */
  seq: number;
  /** Names the event: it starts an automation once. */
  id: string;
  name: FactoryEventName;
  factoryUid: string;
  at: string;
  /** The run that has ended or asks, or whose agent has moved the task; null where somebody else has. */
  run: EventRun | null;
  /** Of a task that has entered a stage. */
  move: TaskMove | null;
}

/** What triggers look at of a task. */
export interface TaskMove {
  taskUid: string;
  /** Null for a new task. */
  from: string | null;
  to: string;
}

/** What triggers look at of a run. */
export interface EventRun {
  id: string;
  /** The turn that has ended, or in which it asks; of one that has moved a task, the turn of now. */
  turn: number;
  /** The state that it has entered, which may not be that of now; of one that has moved a task, that of now. */
  state: RunState;
  automationUid: string | null;
  agentUid: string | null;
}

/** An enabled automation with a trigger of the factory's own events. */
export interface Listener {
  automationUid: string;
  factoryUid: string;
}

/** How far the log was read, and after which change each listener counts. */
export interface TriggerProgress {
  seq: number;
  since: Readonly<Record<string, number>>;
}

/** What a run is told of the run and of the task that its event is about. */
export interface EventDetails {
  run: Run | null;
  /** What its agent said at last in the turn of the event. */
  answer: string | null;
  artifacts: Artifact[];
  /** The task that has moved, or that the run belongs to. */
  task: EventTask | null;
}

/** A run that an event starts, unless the event has started it before, or a limit is reached. */
export interface TriggeredStart {
  event: FactoryEvent;
  automation: string;
  run: NewRun & { automationUid: string };
}

/** Why an event starts nothing. */
export type TriggerRefusal = "loop" | "family";

export interface TriggerOutcome {
  started: number;
  refused: { start: TriggeredStart; refusal: TriggerRefusal; reason: string }[];
}

/** How many events have not started an automation, because they would have exceeded a limit. */
export interface RefusedTriggers {
  automationUid: string;
  refused: number;
}

/** Keeps which events were followed. `find` and `list` read, the rest writes; each call is one transaction. */
export interface TriggerStore {
  findProgress(): Promise<TriggerProgress>;
  /** Lets listeners that are not known yet count from the newest change on. */
  register(listeners: readonly Listener[]): Promise<void>;
  /** What has happened in the factories that listen, at most so many changes after one. */
  findEvents(after: number, limit: number): Promise<{ events: FactoryEvent[]; upTo: number }>;
  /** Nothing when the run that it is about, or the task, was deleted since. */
  findDetails(event: FactoryEvent): Promise<EventDetails | undefined>;
  /** The automations that a limit has kept from being started since an instant. */
  listRefused(since: string): Promise<RefusedTriggers[]>;
  /** Starts runs and records up to which change the log was followed: both or neither. */
  start(starts: readonly TriggeredStart[], upTo: number, at: string): Promise<TriggerOutcome>;
  saveProgress(upTo: number): Promise<void>;
  /** Forgets which runs events before an instant have started, at most `limit`. @returns how many */
  prune(before: string, limit: number): Promise<number>;
}
