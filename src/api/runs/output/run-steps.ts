import type { Models } from "../../../client/typed-paths.ts";
import type { HarnessEvent } from "../../../executor/harness/harness-event.ts";
import type { OutputChunk, TranscriptStore } from "../../../runs/output/transcript.ts";
import type { RunStore } from "../../../runs/run-store.ts";
import type { Cursors } from "../../http/cursor.ts";
import type { ApiRequest, Endpoints } from "../../http/endpoint.ts";
import { cutPage } from "../../http/page.ts";
import { findRun } from "../find-run.ts";

export interface RunStepsDeps {
  runs: Pick<RunStore, "find">;
  transcripts: Pick<TranscriptStore, "list">;
  cursors: Cursors;
}

/** What the harness of a run tells of its agent's work: messages, calls of tools and their results. */
export function runStepEndpoints(deps: RunStepsDeps) {
  return {
    listRunSteps: { handle: (request) => listSteps(request, deps) },
  } satisfies Endpoints;
}

async function listSteps(request: ApiRequest<"listRunSteps">, { runs, transcripts, cursors }: RunStepsDeps) {
  const run = await findRun(request, { runs });
  const { limit, cursor } = request.query;
  const scope = { steps: run.id };
  const [after = 0] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const chunks: OutputChunk[] = [];
  // The store gives fewer at a time where they are large.
  for (;;) {
    const from = chunks.at(-1)?.seq ?? Number(after);
    const more = await transcripts.list(run.id, from, limit + 1 - chunks.length, "events");
    chunks.push(...more);
    if (more.length === 0 || chunks.length > limit) break;
  }
  const { items, pageInfo } = cutPage(chunks, limit, (last) => cursors.encode(scope, [String(last.seq)]));
  return { json: { steps: items.map(runStep), page_info: pageInfo } };
}

/** An event of a harness as the API tells it. */
export function runStep({ seq, turn, at, bytes }: OutputChunk): Models["RunStep"] {
  const event: HarnessEvent = JSON.parse(Buffer.from(bytes).toString("utf8"));
  const base = { id: seq, turn, time: at, type: event.type };
  switch (event.type) {
    case "tool_call":
      return { ...base, name: event.name, input: event.input, ...ofCall(event.call) };
    case "tool_result":
      return { ...base, output: event.output, ...ofCall(event.call), ...ofError(event.isError) };
    case "notice":
      return { ...base, text: event.text, ...ofError(event.isError) };
    case "result":
      return {
        ...base,
        ...(event.text === undefined ? {} : { text: event.text }),
        ...ofError(event.isError),
        ...(event.tokens === undefined ? {} : { tokens: event.tokens }),
        ...(event.costUsd === undefined ? {} : { cost_usd: event.costUsd }),
        ...(event.durationMs === undefined ? {} : { duration_ms: event.durationMs }),
      };
    default:
      return { ...base, text: event.text };
  }
}

function ofCall(call: string | undefined) {
  return call === undefined ? {} : { call_id: call };
}

function ofError(isError: true | undefined) {
  return isError ? { is_error: true } : {};
}
