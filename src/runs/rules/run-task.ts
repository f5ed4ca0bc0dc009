import type { Agent, AgentType, StartGrant } from "../../definitions/definition.ts";
import { grantsAgent } from "../../definitions/start-grant.ts";

/** Where a piece of work comes from. */
export interface Ticket {
  /** The system that it is in, for example `linear`. */
  source: string;
  id: string;
  url: string | null;
}

/** The task that is made together with its first run. */
export interface NewRunTask {
  uid: string;
  title: string;
  /** Null where nobody has named one. */
  ticket: Ticket | null;
}

/** The stage in which tasks begin. */
export const FIRST_STAGE = "TRIAGE";

/** The factory of a task, as the run that is made with the task is told of it. */
export interface TaskFactory {
  name: string;
  /** The agents that the run may start by default in each stage: their types say so. */
  stageAgents: readonly string[];
}

/** The parts that agents play in the work on a task, in the order of the stages. */
const PARTS: readonly AgentType[] = ["TRIAGE", "SPEC", "IMPLEMENT", "REVIEW", "VERIFY"];
/** A prompt is not for long lists; the agent can list all of them. */
const MAX_NAMED = 20;

/** What the run of a task is told of a factory. @param grant of the run */
export function taskFactory(
  name: string,
  agents: readonly Pick<Agent, "name" | "type">[],
  grant: StartGrant | undefined,
): TaskFactory {
  const stageAgents = PARTS.flatMap((part) =>
    agents
      .filter((agent) => agent.type === part && grant && grantsAgent(grant, agent.name))
      .map((agent) => `${agent.name} (${part})`),
  );
  return { name, stageAgents: stageAgents.slice(0, MAX_NAMED) };
}

/** What a run is told of the task that was made with it. */
export function taskEnvelope(
  { uid, title }: Pick<NewRunTask, "uid" | "title">,
  { name, stageAgents }: TaskFactory,
): string {
  return [
    "---",
    `This run works on the task ${uid} of the factory "${name}": ${JSON.stringify(title)}.`,
    `The task is in the stage ${FIRST_STAGE}. Move it to SPEC, IMPLEMENT, REVIEW or COMPLETE as the work advances, or to CANCELLED if it is given up.`,
    ...(stageAgents.length > 0 ? [`Agents to start for this work: ${stageAgents.join(", ")}.`] : []),
  ].join("\n");
}
