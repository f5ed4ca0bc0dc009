import { queryOptions } from "@tanstack/react-query";
import { millrace } from "./client.ts";
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

export const attachmentsQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id, "attachments"],
    queryFn: async () => (await millrace.runs.listAttachments(id)).attachments,
  });
