import { queryOptions } from "@tanstack/react-query";
import { millrace } from "../../api/client.ts";
import { MAX_ROWS } from "../../api/queries.ts";

/** No event tells that a worker was seen. */
const LOOK_EVERY_MS = 5_000;

export const workersQuery = queryOptions({
  queryKey: ["workers"],
  queryFn: () => millrace.workers.list({ limit: MAX_ROWS }).toArray(),
  refetchInterval: LOOK_EVERY_MS,
});
