import { ConnectionError } from "./errors.ts";
import { pause } from "./pause.ts";
import { type ReadLimits, readChunks } from "./read-body.ts";
import { PATIENT_RETRIES, retryDelayMs } from "./retry.ts";
import { parseServerSentEvents, type ServerSentEvent } from "./server-sent-events.ts";

export interface ResumeOptions extends ReadLimits {
  /** Requests the stream from after an event. */
  open(lastEventId: string | undefined, maxRetries: number | undefined): Promise<Response>;
  lastEventId: string | undefined;
  /** Whether nothing follows this event. A stream without an end is read until its signal is aborted. */
  isLast(event: ServerSentEvent): boolean;
  /** Called when the stream begins and when it is interrupted. */
  onConnection: ((state: "open" | "lost") => void) | undefined;
}

/** Reads an event stream. A lost connection is re-established, and the stream resumes. */
export async function* resumeEvents({
  open,
  lastEventId,
  isLast,
  onConnection,
  ...limits
}: ResumeOptions): AsyncGenerator<ServerSentEvent, void, undefined> {
  let reached = lastEventId;
  for (let lost = 0; ; lost += 1) {
    const response = await open(reached, lost > 0 ? PATIENT_RETRIES : undefined);
    refuseOtherThanEvents(response);
    onConnection?.("open");
    try {
      for await (const event of parseServerSentEvents(readChunks(response, limits))) {
        reached = event.id ?? reached;
        lost = 0;
        if (event.data === "") continue;
        yield event;
        if (isLast(event)) return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    onConnection?.("lost");
    await pause(retryDelayMs(lost), limits.signal);
  }
}

function refuseOtherThanEvents(response: Response): void {
  const type = response.headers.get("content-type");
  if (type?.startsWith("text/event-stream")) return;
  throw new ConnectionError(`Expected an event stream, but received ${type ?? "another content type"}.`, {
    retryable: false,
  });
}
