import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Models, millrace } from "./client.ts";

export type UsageGroup = "day" | "factory" | "automation" | "agent" | "model";
type UsageRow = Models["UsageRow"];

/** Sums change with every turn; to look at them now and then is enough. */
const LOOK_EVERY_MS = 60_000;
/** As many of the costliest runs are shown. */
const COSTLIEST = 10;

/** What was used since so long ago, as `30d`. */
export const usageQuery = (by: UsageGroup, since: string) =>
  queryOptions({
    queryKey: ["usage", by, since],
    queryFn: (): Promise<Models["UsageReport"]> => millrace.usage({ group_by: by, since }),
    refetchInterval: LOOK_EVERY_MS,
    placeholderData: keepPreviousData,
  });

export const costliestRunsQuery = (since: string) =>
  queryOptions({
    queryKey: ["usage", "runs", since],
    queryFn: async () => (await millrace.costliestRuns({ since, limit: COSTLIEST })).runs,
    refetchInterval: LOOK_EVERY_MS,
    placeholderData: keepPreviousData,
  });

/** The rows of a report, for a table. */
export const usageRowsQuery = (by: UsageGroup, since: string) =>
  queryOptions({ ...usageQuery(by, since), select: ({ usage }): UsageRow[] => usage });
