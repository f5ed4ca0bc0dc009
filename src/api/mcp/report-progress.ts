import type { ProgressToken, ServerNotification } from "@modelcontextprotocol/sdk/types.js";

/** The shortest limit that is known of a program is 30 s, and each notification begins it anew. */
const EVERY_MS = 15_000;

/** The part of a call that its client wants to hear about: the SDK hands it over with the arguments. */
interface OpenCall {
  _meta?: { progressToken?: ProgressToken | undefined } | undefined;
  signal: AbortSignal;
  sendNotification(notification: ServerNotification): Promise<void>;
}

/**
 * Sends `notifications/progress` for as long as a call is held open, if its client has asked for that. Clients with a time
 * limit of their own wait on then.
 */
export async function reportProgress<Result>(
  { _meta, signal, sendNotification }: OpenCall,
  work: () => Promise<Result>,
): Promise<Result> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return work();
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: "Still waiting." };
    // A client that has left is noticed where its answer is sent.
    sendNotification({ method: "notifications/progress", params }).catch(stop);
  }, EVERY_MS);
  const stop = () => clearInterval(timer);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await work();
  } finally {
    stop();
  }
}
