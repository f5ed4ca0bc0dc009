import type { Api, StreamOptions } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import { withIdempotencyKey } from "../idempotency-key.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";
import { followTranscript, type TranscriptEvent } from "./follow-transcript.ts";
import { longPollMs, type WaitOptions, waitForRun } from "./wait-for-run.ts";

type RunItem = Models["RunItem"];

/** Executions of agents. */
export class Runs {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Starts a run. However often the request has to be made, there is one. */
  create(body: Models["RunAgentRequest"], options: CallOptions = {}): ApiPromise<Models["RunAgentResponse"]> {
    return this.#api.call("post", "/agent/runs", { body }, withIdempotencyKey(options));
  }

  /** The last updated first. */
  list(query: QueryAt<"get", "/agent/runs"> = {}, options: CallOptions = {}): PagePromise<RunItem> {
    return this.#api.list("/agent/runs", "runs", { query }, options);
  }

  /** A run as it is now; with `wait` (`30s`) as it is when it has ended or is BLOCKED, or else after that time. */
  get(
    runId: string,
    query: QueryAt<"get", "/agent/runs/{runId}"> = {},
    options: CallOptions = {},
  ): ApiPromise<RunItem> {
    const timeoutMs = options.timeoutMs ?? this.#api.timeoutMs + longPollMs(query.wait);
    return this.#api.call(
      "get",
      "/agent/runs/{runId}",
      { path: { runId }, query },
      { ...options, timeoutMs },
    );
  }

  /** Ends a run that waits or is at work. @returns its id */
  cancel(runId: string, options: CallOptions = {}): ApiPromise<string> {
    return this.#api.call("post", "/agent/runs/{runId}/cancel", { path: { runId } }, options);
  }

  /** Deletes a run that has ended, with all that is its own. */
  delete(runId: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.#api.call("delete", "/agent/runs/{runId}", { path: { runId } }, options);
  }

  /** Tells the agent of a run something; of one that has ended, this opens another turn. It is told once. */
  followup(
    runId: string,
    body: Models["RunFollowupRequest"],
    options: CallOptions = {},
  ): ApiPromise<Models["RunFollowupResponse"]> {
    const given = { path: { runId }, body };
    return this.#api.call("post", "/agent/runs/{runId}/followups", given, withIdempotencyKey(options));
  }

  /** What happened to a run, in order. */
  timeline(
    runId: string,
    query: QueryAt<"get", "/agent/runs/{runId}/timeline"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["RunEvent"]> {
    return this.#api.list("/agent/runs/{runId}/timeline", "events", { path: { runId }, query }, options);
  }

  /** What the models of a run were used for, turn by turn. */
  harnessUsage(runId: string, options: CallOptions = {}): ApiPromise<Models["HarnessUsage"]> {
    return this.#api.call("get", "/agent/runs/{runId}/harness-usage", { path: { runId } }, options);
  }

  /** What the agent has written so far. */
  transcript(runId: string, options: CallOptions = {}): ApiPromise<string> {
    return this.#api.call("get", "/agent/runs/{runId}/transcript", { path: { runId } }, options);
  }

  /** What the agent has written and writes, until the run ends. Another iteration starts over. */
  follow(runId: string, options: StreamOptions = {}): AsyncGenerator<TranscriptEvent, void, undefined> {
    return followTranscript(this.#api, runId, options);
  }

  /**
   * A run when it has ended or is BLOCKED.
   * @throws WaitTimeoutError when it is still at work after `timeoutMs`
   */
  wait(runId: string, options: WaitOptions = {}): Promise<RunItem> {
    return waitForRun(this, runId, options);
  }

  /** The names of the files that a run was given. */
  listAttachments(runId: string, options: CallOptions = {}): ApiPromise<Models["AttachmentList"]> {
    return this.#api.call("get", "/agent/runs/{runId}/attachments", { path: { runId } }, options);
  }

  /** A file that a run was given. */
  attachment(runId: string, name: string, options: CallOptions = {}): ApiPromise<Uint8Array> {
    return this.#api.bytes("/agent/runs/{runId}/attachments/{name}", { path: { runId, name } }, options);
  }
}
