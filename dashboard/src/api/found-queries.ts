import { queryOptions } from "@tanstack/react-query";
import { millrace } from "./client.ts";

/** The most that a search for something to go to finds of a kind. */
const MAX_FOUND = 6;
/** The most ids that are looked through for those with a beginning. */
const MAX_LOOKED_AT = 100;

/** When something was made, as its id tells. */
interface Times {
  since: string;
  until: string;
}

/** Runs that a text fits, or with times, those whose ids begin with it. */
export const foundRunsQuery = (text: string, times: Times | undefined) =>
  queryOptions({
    queryKey: ["latest-runs", "found", text],
    queryFn: async () => {
      if (times === undefined) return (await millrace.runs.list({ q: text, limit: MAX_FOUND })).items;
      const { items } = await millrace.runs.list({
        created_after: times.since,
        created_before: times.until,
        sort_by: "created_at",
        limit: MAX_LOOKED_AT,
      });
      return items.filter(({ run_id }) => run_id.startsWith(text.toLowerCase())).slice(0, MAX_FOUND);
    },
  });

/** Deliveries whose ids begin with a text. */
export const foundDeliveriesQuery = (text: string, { since, until }: Times) =>
  queryOptions({
    queryKey: ["deliveries", "all", "found", text],
    queryFn: async () => {
      const { items } = await millrace.deliveries.listAll({ since, until, limit: MAX_LOOKED_AT });
      return items
        .filter(({ delivery_id }) => delivery_id.startsWith(text.toLowerCase()))
        .slice(0, MAX_FOUND);
    },
  });
