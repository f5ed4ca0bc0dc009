import { hasEnded } from "../../../runs/rules/state.ts";
import type { Run } from "../../../runs/run.ts";
import type { ApiRequest } from "../../http/endpoint.ts";
import { lastEventId, openEventStream } from "../../http/event-stream.ts";
import type { RunDeps } from "../run-deps.ts";
import { runStep } from "./run-steps.ts";

/** So many pieces are read from the store at a time, and fewer where they are large. */
const PAGE = 16;
/** In case that a commit was missed. */
const LOOK_EVERY_MS = 2_000;

/** Events are short, and read one by one. */
const EVENTS_PAGE = 64;

/**
 * Sends what an agent writes as Server-Sent Events, from the beginning or from after `Last-Event-ID`, until the run has
 * ended and everything is sent: `output {text, stream, turn, at}`, then `end {state}`. With the steps of the agent's work, they
 * are sent in between: `step {turn, time, type, …}`.
 */
export async function streamTranscript(
  run: Run,
  http: ApiRequest["http"],
  { runs, transcripts, commits }: Pick<RunDeps, "runs" | "transcripts" | "commits">,
  withSteps = false,
): Promise<void> {
  const stream = openEventStream(http);
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder(), event: new TextDecoder() };
  let after = lastEventId(http) ?? 0;
  while (!stream.closed.aborted) {
    // Asked before the output, so that nothing written before the end can be missed.
    const { state } = (await runs.find(run.id)) ?? run;
    const chunks = await (withSteps
      ? transcripts.list(run.id, after, EVENTS_PAGE, "all")
      : transcripts.list(run.id, after, PAGE));
    for (const chunk of chunks) {
      const { seq, stream: name, turn, at, bytes } = chunk;
      after = seq;
      if (name === "harness") {
        await stream.send({ id: seq, event: "step", data: runStep(chunk) });
        continue;
      }
      const text = decoders[name].decode(bytes, { stream: true });
      await stream.send({ id: seq, event: "output", data: { text, stream: name, turn, at } });
    }
    if (chunks.length === 0 && hasEnded(state)) {
      await stream.send({ event: "end", data: { state } });
      return stream.end();
    }
    if (chunks.length === 0) await commits.next(LOOK_EVERY_MS, stream.closed);
  }
}
