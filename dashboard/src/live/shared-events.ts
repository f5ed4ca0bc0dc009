import { AuthenticationError, millrace } from "../api/client.ts";

/** Something has changed on the server. */
export interface LiveEvent {
  event: string;
  data: Record<string, string | undefined>;
}

const NAME = "millrace-events";
/** After a stream that could not be resumed. */
const AGAIN_MS = 5_000;

/**
 * Hears of every change, in all tabs, over one stream: over HTTP/1.1 a browser opens six connections to a server at
 * most, and a stream in each tab would leave none for anything else. The tab that has the lock reads, and tells the
 * others; when it is closed, the next one goes on. Where there are no locks (plain http beyond loopback) each tab reads
 * for itself.
 */
export function hearEvents(onEvent: (event: LiveEvent) => void, signal: AbortSignal): void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => onEvent(data);
  signal.addEventListener("abort", () => channel.close());
  const tell = (event: LiveEvent) => {
    onEvent(event);
    if (!signal.aborted) channel.postMessage(event);
  };
  if (!("locks" in navigator)) {
    void read(onEvent, signal);
    return;
  }
  // Ends with the signal or the tab.
  navigator.locks.request(NAME, { signal }, () => read(tell, signal)).catch(() => {});
}

async function read(tell: (event: LiveEvent) => void, signal: AbortSignal): Promise<void> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    let hasBegun = false;
    const onConnection = (state: "open" | "lost") => {
      tell({ event: "connection", data: { state } });
      if (state === "lost" || hasBegun) return;
      hasBegun = true;
      // A stream begins with its opening, so that what was loaded earlier may lack a change; one that is resumed has all.
      tell({ event: isFirst ? "opened" : "reset", data: {} });
    };
    try {
      for await (const { event, data } of millrace.events({ signal, onConnection })) {
        tell({ event, data: data as LiveEvent["data"] });
      }
    } catch (error) {
      if (error instanceof AuthenticationError) tell({ event: "signed-out", data: {} });
      else tell({ event: "connection", data: { state: "lost" } });
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
