import type { AcceptableDelivery, DeliveryFilter } from "../ingress/delivery.ts";
import { isSearch } from "./delivery-search/search-deliveries.ts";
import type { Store } from "./store.ts";

/** One call of a port's method, as it travels to the connection that carries it out. */
export interface StoreCall {
  port: keyof Store;
  method: string;
  args: unknown[];
}

export function isRead(method: string): boolean {
  return method.startsWith("find") || method.startsWith("list");
}

/**
 * Whether a call does the same before or after another one of these in the same transaction: it looks at nothing that another one
 * writes, or what decides between the two is a key of the database.
 */
export function commutes({ port, method, args }: StoreCall): boolean {
  if (port === "transcripts") return method === "append";
  if (port !== "deliveries") return false;
  return method === "recordRefusal" || (method === "record" && !isKeyed(args[0] as AcceptableDelivery));
}

/** Whether the runs of a delivery belong together with others. */
const isKeyed = ({ runs }: AcceptableDelivery) => runs.some(({ keyed }) => keyed !== undefined);

/** Whether a call reads the list of runs, also as numbers: it is updated after commits. */
export function readsListing({ port, method }: StoreCall): boolean {
  if (port === "runSummaries" || port === "factoryMetrics") return true;
  if (port === "pullRequests") return method === "listReported";
  if (port === "activity") return method === "listRunCounts" || method === "listOpenRunCounts";
  return port === "runs" && method === "list";
}

/** Whether a call searches deliveries, which are made findable after commits. */
export function searchesDeliveries({ port, method, args: [query] }: StoreCall): boolean {
  return port === "deliveries" && method === "list" && isSearch(query as DeliveryFilter);
}

type Methods = { [Port in keyof Store]?: readonly (keyof Store[Port])[] };

/** What may concern the agent of a run, or a worker, at once: a message, a cancellation, a drain. */
const NEWS: Methods = {
  runs: ["cancel", "cancelTree", "dismiss", "followUp", "forgetRun", "forgetRuns", "endOverdueWaits"],
  workers: ["revoke", "setDraining"],
  factoryDeletions: ["remove"],
  pauses: ["create", "end"],
};

/** Whether a call that was committed may concern the agent of a run, or a worker, at once. */
export function isNews({ port, method, args }: StoreCall): boolean {
  if (port === "deliveries" && method === "record") return isKeyed(args[0] as AcceptableDelivery);
  return (NEWS[port] as readonly string[] | undefined)?.includes(method) ?? false;
}

/** Whether a call writes what is derived from earlier commits, or bytes or a sign of life alone, so that nothing follows from it. */
export function followsCommits({ port, method }: StoreCall): boolean {
  if (port === "deliverySearch" || port === "artifactRows" || port === "servers") return true;
  return port === "runs" && method === "updateListing";
}
