import type { Models } from "../../client/typed-paths.ts";
import type { RunMasks } from "../../runs/output/run-masks.ts";
import type { FamilyNote } from "../../runs/rules/agent-report.ts";
import { agentName } from "../../runs/rules/conversation.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { changedMeanwhile, expectedTags } from "../http/if-match.ts";
import { findRun } from "../runs/find-run.ts";
import { maskOf, ownRun, refusedReport } from "./own-run.ts";

export interface NoteDeps {
  runs: Pick<RunStore, "find" | "findNote" | "writeNote">;
  masks: Pick<RunMasks, "maskOf">;
  now: () => Date;
}

/** The page that the runs of a family share: each reads it, and the agents write it. */
export function noteEndpoints({ runs, masks, now }: NoteDeps) {
  return {
    getNote: {
      async handle(request) {
        const note = await runs.findNote(await findRun(request, { runs }));
        return { json: noteView(note), etag: etagOf(note?.version ?? 0) };
      },
    },
    putNote: {
      async handle(request) {
        const run = ownRun(request);
        const { text, append: isAppended = false } = request.body;
        const agent = agentName(run);
        const change = { text: maskOf(run, masks)(text), isAppended, expected: versionsIn(request), agent };
        const written = await runs.writeNote(run, change, now().toISOString());
        if (written === "changed") throw changedMeanwhile();
        if (typeof written === "string") throw refusedReport(run, "note", written);
        return { json: noteView(written), etag: etagOf(written.version) };
      },
    },
  } satisfies Endpoints;
}

const etagOf = (version: number) => `"${version}"`;

/** The versions that a request names in If-Match. What is no tag of a note is none of its versions. */
function versionsIn(request: Pick<ApiRequest, "http">): number[] | undefined {
  return expectedTags(request)?.map((tag) => Number(/^"(\d{1,15})"$/.exec(tag)?.[1] ?? Number.NaN));
}

function noteView(note: FamilyNote | undefined): Models["FamilyNote"] {
  if (!note) return { text: "", updated_at: null, updated_by: null };
  const { text, updatedAt, agent, runId } = note;
  return { text, updated_at: updatedAt, updated_by: agent, updated_by_run_id: runId };
}
