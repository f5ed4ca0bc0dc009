import type { Api, StreamOptions } from "../api.ts";
import type { Models } from "../typed-paths.ts";

/** A piece of an agent's output. */
export interface OutputEvent {
  event: "output";
  /** Pass it as `lastEventId` to resume after this piece. */
  id: string | undefined;
  data: { text: string; stream: "stdout" | "stderr"; turn: number; at: string };
}

/** The run has ended, and everything is read. */
export interface EndEvent {
  event: "end";
  id: string | undefined;
  data: { state: Models["RunState"] };
}

export type TranscriptEvent = OutputEvent | EndEvent;

/** The events of a transcript until its end. */
export async function* followTranscript(
  api: Api,
  runId: string,
  options: StreamOptions,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const given = { path: { runId }, query: { follow: true } };
  const isEnd = ({ event }: { event: string }) => event === "end";
  for await (const { id, event, data } of api.stream(
    "/agent/runs/{runId}/transcript",
    given,
    options,
    isEnd,
  )) {
    yield { id, event, data: JSON.parse(data) } as TranscriptEvent;
  }
}
