import { queryOptions } from "@tanstack/react-query";
import { ApiError, type Models, millrace, NotFoundError } from "./client.ts";
import type { Run } from "./models.ts";
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

/** So many runs of a family are looked at for what they have left. */
const MAX_FAMILY = 100;

/** The runs of the family of a run, with what they have left and answered, oldest first. */
export const familyRunsQuery = ({ root_run_id: root }: Pick<Run, "root_run_id">) =>
  queryOptions({
    queryKey: ["family", root, "runs"],
    queryFn: async () => {
      const below = {
        ancestor_run_id: root,
        sort_by: "created_at",
        sort_order: "asc",
        limit: MAX_FAMILY,
      } as const;
      const [first, { items }] = await Promise.all([readable(root), millrace.runs.list(below)]);
      return first ? [first, ...items] : items;
    },
  });

/** The root of a family may have been deleted, or belong to a factory that is not to be seen. */
async function readable(id: string): Promise<Run | undefined> {
  try {
    return await millrace.runs.get(id);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The newest runs of the automation of a run that were created before it. */
export const runsBeforeQuery = ({ run_id, automation_id, factory_uid, created_at }: Run) =>
  queryOptions({
    queryKey: ["run", run_id, "before"],
    enabled: automation_id !== undefined && factory_uid !== undefined,
    queryFn: async () => {
      const of = { automation_id: automation_id ?? "", factory_uid: [factory_uid ?? ""] };
      const before = { created_before: created_at, sort_by: "created_at", limit: 4 } as const;
      return (await millrace.runs.list({ ...of, ...before })).items;
    },
  });

/** A file that a run has left, as text. It never changes. */
export const artifactTextQuery = (uid: string) =>
  queryOptions({
    queryKey: ["artifact-text", uid],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => new TextDecoder().decode(await millrace.runs.artifactFile(uid)),
  });

/** What deliveries of the forge report about the pull requests that the runs of a factory have reported. */
export const pullRequestsQuery = (factoryUid: string) =>
  queryOptions({
    queryKey: ["pull-requests", factoryUid],
    queryFn: async () =>
      (
        await millrace.request<Models["PullRequestList"]>("get", `/factory/${factoryUid}/pull-requests`, {
          query: { limit: MAX_ROWS },
        })
      ).data,
  });

/** The page that the agents of a family write their notes on. */
export const noteQuery = (id: string) =>
  queryOptions({
    queryKey: ["family", id, "note"],
    queryFn: () => millrace.request<Models["FamilyNote"]>("get", `/agent/runs/${id}/note`),
  });
