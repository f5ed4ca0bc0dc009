import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Run, RunStore } from "../runs/run.ts";
import { hasEnded } from "../runs/state.ts";
import { API_HEADER, API_VERSION } from "./api-header.ts";
import type { ApiRequest } from "./endpoint.ts";

const PAGE = 200;
const LOOK_EVERY_MS = 250;
/** A comment now and then keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;

/**
 * Sends what an agent writes as Server-Sent Events, from the beginning or from after `Last-Event-ID`, until the run has
 * ended and everything is sent: `output {text, stream, turn, at}`, then `end {state}`.
 */
export async function streamTranscript(
  run: Run,
  { request, response }: ApiRequest["http"],
  runs: RunStore,
): Promise<void> {
  const closed = new AbortController();
  response.on("close", () => closed.abort());
  // A reader that is slower than the agent is waited for, so that what it has not read stays in the store.
  const send = async (text: string) => {
    if (response.write(text) || closed.signal.aborted) return;
    await once(response, "drain", { signal: closed.signal }).catch(() => {});
  };
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    [API_HEADER]: API_VERSION,
  });
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let after = lastEventId(request.headers["last-event-id"]);
  let lastWrite = Date.now();

  while (!closed.signal.aborted) {
    // Asked before the output, so that nothing written before the end can be missed.
    const { state } = (await runs.find(run.id)) ?? run;
    const chunks = await runs.listOutput(run.id, after, PAGE);
    for (const { seq, stream, turn, at, bytes } of chunks) {
      const text = decoders[stream].decode(bytes, { stream: true });
      await send(`id: ${seq}\nevent: output\ndata: ${JSON.stringify({ text, stream, turn, at })}\n\n`);
      after = seq;
    }
    if (chunks.length > 0) lastWrite = Date.now();
    if (chunks.length === 0 && hasEnded(state)) {
      response.end(`event: end\ndata: ${JSON.stringify({ state })}\n\n`);
      return;
    }
    if (Date.now() - lastWrite > HEARTBEAT_MS) {
      await send(": waiting\n\n");
      lastWrite = Date.now();
    }
    if (chunks.length < PAGE) await sleep(LOOK_EVERY_MS);
  }
}

function lastEventId(header: string | string[] | undefined): number {
  const id = Number(header ?? 0);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}
