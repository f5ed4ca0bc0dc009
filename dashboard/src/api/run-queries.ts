import { queryOptions } from "@tanstack/react-query";
import { ApiError, type Models, millrace } from "./client.ts";
import { MAX_ROWS } from "./queries.ts";

/** One run, and what belongs to it: its key begins each of theirs, so what has changed it makes all of them stale. */
export const runQuery = (id: string) =>
  queryOptions({ queryKey: ["run", id], queryFn: () => millrace.runs.get(id) });

export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id, "timeline"],
    queryFn: () => millrace.runs.timeline(id, { limit: MAX_ROWS }).toArray(),
  });

/** How often a message that waits is looked at: no change of the run tells that its agent has it. */
const WAITING_LOOK_MS = 3_000;

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id, "conversation"],
    queryFn: () => millrace.runs.conversation(id, { limit: MAX_ROWS }).toArray(),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === "waiting") ? WAITING_LOOK_MS : false,
  });

export const networkQuery = (id: string) =>
  queryOptions({ queryKey: ["run", id, "network"], queryFn: () => millrace.runs.network(id) });

/** The deliveries that a run is about, oldest first. */
export const runDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id, "deliveries"],
    queryFn: async () => (await millrace.runs.listDeliveries(id)).deliveries,
  });

export const attachmentsQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id, "attachments"],
    queryFn: async () => (await millrace.runs.listAttachments(id)).attachments,
  });

/** Enough for the last lines of an error, with its stack. */
const END_BYTES = 16 * 1024;

/** The last lines of a transcript. */
export const transcriptEndQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id, "transcript-end"],
    queryFn: async () => {
      try {
        const text = await millrace.runs.transcript(id, { headers: { range: `bytes=-${END_BYTES}` } });
        const lines = text.split("\n");
        // The first line may have begun before.
        return text.length < END_BYTES / 4 ? lines : lines.slice(1);
      } catch (error) {
        // There is no end of what has no beginning.
        if (error instanceof ApiError && error.status === 400) return [];
        throw error;
      }
    },
  });

/** The newest runs that repeat a run. */
export const rerunsQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id, "reruns"],
    queryFn: async () => (await millrace.runs.list({ rerun_of: id, sort_by: "created_at", limit: 5 })).items,
  });

/** What running a run again would start, by the definition in force when someone asks. */
export const runAgainPlanQuery = (id: string) =>
  queryOptions({
    queryKey: ["run-again", id],
    queryFn: () => millrace.runs.planAgain(id),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/**
 * The family of a run. Its key is not below that of the run: what happens to any run of the family changes it, and so
 * does a run that was not in it yet.
 */
export const familyQuery = (id: string) =>
  queryOptions({
    queryKey: ["family", id],
    queryFn: async () => (await millrace.runs.tree(id)).runs,
  });

/** The page that the agents of a family write their notes on. */
export const noteQuery = (id: string) =>
  queryOptions({
    queryKey: ["family", id, "note"],
    queryFn: () => millrace.request<Models["FamilyNote"]>("get", `/agent/runs/${id}/note`),
  });
