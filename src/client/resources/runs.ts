import { type Api, type ApiPromise, type PagePromise, Resource, type StreamOptions } from "../api.ts";
import { WaitTimeoutError } from "../errors.ts";
import type { CallOptions } from "../options.ts";
import { after, PATIENT_RETRIES, pause, withIdempotencyKey } from "../send.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

type RunItem = Models["RunItem"];

/** Runs: executions of agents. */
export class Runs extends Resource {
  /** Starts a run. Retries start only one run. */
  create(body: Models["RunAgentRequest"], options: CallOptions = {}): ApiPromise<Models["RunAgentResponse"]> {
    return this.api.call("post", "/agent/runs", { body }, withIdempotencyKey(options));
  }

  /** Lists runs, most recently updated first. */
  list(query: QueryAt<"get", "/agent/runs"> = {}, options: CallOptions = {}): PagePromise<RunItem> {
    return this.api.list("/agent/runs", "runs", { query }, options);
  }

  /** The current state of a run; with `wait` (`30s`), the state when it has ended or is BLOCKED, or after that time. */
  get(
    runId: string,
    query: QueryAt<"get", "/agent/runs/{runId}"> = {},
    options: CallOptions = {},
  ): ApiPromise<RunItem> {
    const timeoutMs = options.timeoutMs ?? this.api.timeoutMs + longPollMs(query.wait);
    return this.api.call("get", "/agent/runs/{runId}", { path: { runId }, query }, { ...options, timeoutMs });
  }

  /** Cancels a queued or running run; with `tree`, also all runs that descend from it. @returns its id */
  cancel(runId: string, { tree, ...options }: CallOptions & { tree?: boolean } = {}): ApiPromise<string> {
    const given = { path: { runId }, query: tree === undefined ? {} : { tree } };
    return this.api.call("post", "/agent/runs/{runId}/cancel", given, options);
  }

  /** The family of a run: its root and all runs that descend from it, oldest first. */
  tree(runId: string, options: CallOptions = {}): ApiPromise<Models["RunTree"]> {
    return this.api.call("get", "/agent/runs/{runId}/tree", { path: { runId } }, options);
  }

  /** Ends a blocked run without answering its question. @returns the run */
  dismiss(
    runId: string,
    body: Models["DismissRequest"] = {},
    options: CallOptions = {},
  ): ApiPromise<Models["RunItem"]> {
    return this.api.call("post", "/agent/runs/{runId}/dismiss", { path: { runId }, body }, options);
  }

  /** What running an ended run again would start. */
  planAgain(runId: string, options: CallOptions = {}): ApiPromise<Models["RunAgainPlan"]> {
    return this.api.call("get", "/agent/runs/{runId}/run-again", { path: { runId } }, options);
  }

  /** Runs an ended run again, with its delivery or request. Retries start only one run. */
  again(runId: string, options: CallOptions = {}): ApiPromise<Models["RunAgentResponse"]> {
    const given = { path: { runId } };
    return this.api.call("post", "/agent/runs/{runId}/run-again", given, withIdempotencyKey(options));
  }

  /** Deletes an ended run with all of its data. */
  delete(runId: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.api.call("delete", "/agent/runs/{runId}", { path: { runId } }, options);
  }

  /** Sends a message to a run; if the run has ended, this starts another turn. Retries send only one message. */
  followup(
    runId: string,
    body: Models["RunFollowupRequest"],
    options: CallOptions = {},
  ): ApiPromise<Models["RunFollowupResponse"]> {
    const given = { path: { runId }, body };
    return this.api.call("post", "/agent/runs/{runId}/followups", given, withIdempotencyKey(options));
  }

  /** Events of a run, in order. */
  timeline(
    runId: string,
    query: QueryAt<"get", "/agent/runs/{runId}/timeline"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["RunEvent"]> {
    return this.api.list("/agent/runs/{runId}/timeline", "events", { path: { runId }, query }, options);
  }

  /** Messages of a run, in order. */
  conversation(
    runId: string,
    query: QueryAt<"get", "/agent/runs/{runId}/conversation"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["RunMessage"]> {
    const given = { path: { runId }, query };
    return this.api.list("/agent/runs/{runId}/conversation", "messages", given, options);
  }

  /** Model usage of a run, by turn. */
  harnessUsage(runId: string, options: CallOptions = {}): ApiPromise<Models["HarnessUsage"]> {
    return this.api.call("get", "/agent/runs/{runId}/harness-usage", { path: { runId } }, options);
  }

  /** The hosts that a run reached over the network, and those that it was refused. */
  network(runId: string, options: CallOptions = {}): ApiPromise<Models["RunNetwork"]> {
    return this.api.call("get", "/agent/runs/{runId}/network", { path: { runId } }, options);
  }

  /** The newest deliveries that a run is about, at most 2,000, in the order in which they came. */
  listDeliveries(runId: string, options: CallOptions = {}): ApiPromise<Models["RunDeliveries"]> {
    return this.api.call("get", "/agent/runs/{runId}/deliveries", { path: { runId } }, options);
  }

  /** The steps of a run that its harness reported, in order. */
  steps(
    runId: string,
    query: QueryAt<"get", "/agent/runs/{runId}/steps"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["RunStep"]> {
    return this.api.list("/agent/runs/{runId}/steps", "steps", { path: { runId }, query }, options);
  }

  /** The agent's output so far. */
  transcript(runId: string, options: CallOptions = {}): ApiPromise<string> {
    return this.api.call("get", "/agent/runs/{runId}/transcript", { path: { runId } }, options);
  }

  /** The agent's output until the run ends. Another iteration starts over. */
  follow(runId: string, options: StreamOptions = {}): AsyncGenerator<TranscriptEvent, void, undefined> {
    return followTranscript(this.api, runId, options);
  }

  /** The same, with the steps that the harness of the run reports. */
  followSteps(
    runId: string,
    options: StreamOptions = {},
  ): AsyncGenerator<TranscriptEvent | StepEvent, void, undefined> {
    return followSteps(this.api, runId, options);
  }

  /**
   * Waits until a run has ended or is BLOCKED.
   * @throws WaitTimeoutError if it has not ended after `timeoutMs`
   */
  wait(runId: string, options: WaitOptions = {}): Promise<RunItem> {
    return waitForRun(this, runId, options);
  }

  /** A file that a run left behind; `asResponse()` gives it as it arrives. */
  artifactFile(artifactUid: string, options: CallOptions = {}): ApiPromise<Uint8Array> {
    return this.api.bytes("/agent/artifacts/{artifactUid}/download", { path: { artifactUid } }, options);
  }

  /** The names of a run's attachments. */
  listAttachments(runId: string, options: CallOptions = {}): ApiPromise<Models["AttachmentList"]> {
    return this.api.call("get", "/agent/runs/{runId}/attachments", { path: { runId } }, options);
  }

  /** An attachment of a run. */
  attachment(runId: string, name: string, options: CallOptions = {}): ApiPromise<Uint8Array> {
    return this.api.bytes("/agent/runs/{runId}/attachments/{name}", { path: { runId, name } }, options);
  }
}

export interface WaitOptions extends Omit<CallOptions, "timeoutMs" | "idempotencyKey"> {
  /** Maximum time to wait (default: no limit). */
  timeoutMs?: number;
}

const POLL = "30s";
/** Minimum interval between requests to a server that responds immediately. */
const ASK_EVERY_MS = 1_000;
const SETTLED: readonly Models["RunState"][] = ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED", "BLOCKED"];

/** Requests a run with the longest wait that the server allows, until there is nothing more to wait for. */
async function waitForRun(
  runs: Pick<Runs, "get">,
  runId: string,
  { timeoutMs = Number.POSITIVE_INFINITY, signal, ...options }: WaitOptions,
): Promise<Models["RunItem"]> {
  const over = new AbortController();
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const timer = after(timeoutMs, () =>
    over.abort(new WaitTimeoutError(`Run ${runId} has not ended after ${timeoutMs} ms.`)),
  );
  try {
    for (;;) {
      const asked = performance.now();
      const run = await runs.get(
        runId,
        { wait: POLL },
        { maxRetries: PATIENT_RETRIES, ...options, signal: either },
      );
      if (SETTLED.includes(run.state)) return run;
      await pause(asked + ASK_EVERY_MS - performance.now(), either);
    }
  } finally {
    timer.cancel();
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** How long the server may delay a response that was requested with `wait`. */
export function longPollMs(wait: string | undefined): number {
  const [, count = "0", unit = "ms"] = /^(\d+)(ms|s|m)$/.exec(wait ?? "") ?? [];
  return Number(count) * (UNIT_MS[unit] ?? 0);
}

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
function followTranscript(
  api: Api,
  runId: string,
  options: StreamOptions,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  return follow(api, runId, {}, options);
}

/** The same, with the steps that the harness reports between them. */
function followSteps(
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
