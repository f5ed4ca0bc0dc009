import type { Api, StreamOptions } from "../api.ts";
import type { Models } from "../typed-paths.ts";

/** A piece of an agent's output. */
export interface OutputEvent {
  event: "output";
  /** Pass it as `lastEventId` to resume after this piece. */
  id: string | undefined;
  data: { text: string; stream: "stdout" | "stderr"; turn: number; at: string };
}

/** A step of the agent's work, as its harness reports it. Sent on request. */
export interface StepEvent {
  event: "step";
  id: string | undefined;
  data: Models["RunStep"];
}

/** The run has ended, and everything is read. */
export interface EndEvent {
  event: "end";
  id: string | undefined;
  data: { state: Models["RunState"] };
}

export type TranscriptEvent = OutputEvent | EndEvent;

/** The events of a transcript until its end. */
export function followTranscript(
  api: Api,
  runId: string,
  options: StreamOptions,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  return follow(api, runId, {}, options);
}

/** The same, with the steps that the harness reports between them. */
export function followSteps(
  api: Api,
  runId: string,
  options: StreamOptions,
): AsyncGenerator<TranscriptEvent | StepEvent, void, undefined> {
  return follow(api, runId, { steps: true }, options);
}

async function* follow<Event>(
  api: Api,
  runId: string,
  query: { steps?: boolean },
  options: StreamOptions,
): AsyncGenerator<Event, void, undefined> {
  const given = { path: { runId }, query: { follow: true, ...query } };
  const isEnd = ({ event }: { event: string }) => event === "end";
  for await (const { id, event, data } of api.stream(
    "/agent/runs/{runId}/transcript",
    given,
    options,
    isEnd,
  )) {
    yield { id, event, data: JSON.parse(data) } as Event;
  }
}
