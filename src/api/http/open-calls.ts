import type { ServerResponse } from "node:http";
import { MillraceError } from "../../errors/error.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { Run } from "../../runs/run.ts";
import type { Worker } from "../../workers/worker.ts";

/**
 * A stream takes some 70 KB, and one of a transcript that nobody reads up to 2 MB: this many are more than an agent reads, and
 * too few to fill the memory of the server.
 */
const MAX_CALLS_OF_RUN = 32;
/** Many people and programs may share a key; each tab of the dashboard has two streams. */
const MAX_CALLS_OF_KEY = 1_024;
/** Each process of a worker has one claim and one beat open; a thousand of them take about 70 MB. */
const MAX_CALLS_OF_WORKER = 512;
/** Each also takes an open file, and whoever has a link needs no key. */
const MAX_DOWNLOADS_OF_FILE = 32;
const RETRY_AFTER_SECONDS = 5;
/** Of the connections that may be open: where they are few, no caller takes those of the others. */
const SHARE_OF_CALLER = 1 / 4;
/** The others are kept for deliveries and health checks, which are not calls of anybody. */
const SHARE_OF_CALLS = 3 / 4;

type Opener =
  | { kind: "key"; key: Pick<ApiKey, "id" | "name"> }
  | { kind: "run"; run: Pick<Run, "id"> }
  | { kind: "worker"; worker: Pick<Worker, "id" | "name">; request: string }
  | { kind: "link"; artifactUid: string };

/**
 * Bounds the calls that each key, each run and each worker has open at the same time, streams and long polls among them, and the downloads of
 * each file by its links.
 */
export interface OpenCalls {
  /** Counts a call until its response is closed. @throws MillraceError `rate_limited` */
  open(caller: Opener, response: Pick<ServerResponse, "closed" | "once">): void;
}

/**
 * The counts last as long as the process.
 * @param connections how many may be open
 */
export function createOpenCalls({
  connections = Number.POSITIVE_INFINITY,
  perKey = MAX_CALLS_OF_KEY,
  perRun = MAX_CALLS_OF_RUN,
} = {}): OpenCalls {
  const counts = new Map<string, number>();
  const share = Math.floor(connections * SHARE_OF_CALLER);
  const most = Math.floor(connections * SHARE_OF_CALLS);
  let all = 0;
  function counted(caller: Opener) {
    switch (caller.kind) {
      case "key":
        return { id: caller.key.id, limit: perKey, whose: `The key "${caller.key.name}"` };
      case "run":
        return { id: caller.run.id, limit: perRun, whose: `The token of run ${caller.run.id}` };
      case "worker": {
        const { worker, request } = caller;
        return {
          id: `${worker.id}/${request}`,
          limit: MAX_CALLS_OF_WORKER,
          whose: `The token of the worker "${worker.name}" (request ${request})`,
        };
      }
      case "link":
        return {
          id: caller.artifactUid,
          limit: MAX_DOWNLOADS_OF_FILE,
          whose: `The file of artifact ${caller.artifactUid}`,
        };
    }
  }
  return {
    open(caller, response) {
      const { id, whose, ...ofCaller } = counted(caller);
      const limit = Math.min(ofCaller.limit, share);
      const before = counts.get(id) ?? 0;
      if (before >= limit) throw tooManyCalls(whose, limit);
      if (all >= most) throw tooManyAltogether(most);
      // Its client may have gone while its key was looked up; then no event follows.
      if (response.closed) return;
      all += 1;
      counts.set(id, before + 1);
      response.once("close", () => {
        all -= 1;
        const left = (counts.get(id) ?? 0) - 1;
        if (left > 0) counts.set(id, left);
        else counts.delete(id);
      });
    },
  };
}

function tooManyCalls(whose: string, limit: number): MillraceError {
  return new MillraceError("rate_limited", `${whose} has ${limit} open calls, which is the limit.`, {
    remedy: "Close streams and long polls that are no longer needed, then retry.",
    retryAfter: RETRY_AFTER_SECONDS,
  });
}

function tooManyAltogether(most: number): MillraceError {
  return new MillraceError(
    "service_unavailable",
    `The server has ${most} open calls, which is the limit: the other connections are for deliveries.`,
    {
      remedy: "Retry shortly. A higher limit on open files (LimitNOFILE) allows for more.",
      retryAfter: RETRY_AFTER_SECONDS,
    },
  );
}
