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
 * `commutes`: does the same before or after another one of these in the same transaction, since it looks at nothing that another
 * one writes, or what decides between the two is a key of the database.
 * `is news`: once committed, may concern the agent of a run, or a worker, at once: a message, a cancellation, a drain.
 * `reads listing`: reads the list of runs, also as numbers, which is updated after commits.
 * `searches deliveries`: they are made findable after commits.
 * `follows commits`: writes what is derived from earlier commits, or bytes or a sign of life alone: nothing follows from it.
 */
type Trait = "commutes" | "is news" | "reads listing" | "searches deliveries" | "follows commits";
type TraitOf<Method> = Method extends (...args: infer Args) => unknown
  ? Trait | ((...args: Args) => Trait | undefined)
  : never;

/** What calls set off or wait for: all of a port, or those of a method. */
const TRAITS: {
  readonly [Port in keyof Store]?:
    | Trait
    | { readonly [Method in keyof Store[Port]]?: TraitOf<Store[Port][Method]> };
} = {
  activity: { listRunCounts: "reads listing", listOpenRunCounts: "reads listing" },
  artifactRows: "follows commits",
  deliveries: {
    list: (filter) => (isSearch(filter) ? "searches deliveries" : undefined),
    // Whether its runs belong together with others.
    record: ({ runs }) => (runs.some(({ keyed }) => keyed !== undefined) ? "is news" : "commutes"),
    recordRefusal: "commutes",
  },
  deliverySearch: "follows commits",
  factoryDeletions: { remove: "is news" },
  factoryMetrics: "reads listing",
  pauses: { create: "is news", end: "is news" },
  pullRequests: { listReported: "reads listing" },
  runs: {
    cancel: "is news",
    cancelTree: "is news",
    dismiss: "is news",
    endOverdueWaits: "is news",
    followUp: "is news",
    forgetRun: "is news",
    forgetRuns: "is news",
    list: "reads listing",
    updateListing: "follows commits",
  },
  runSummaries: "reads listing",
  servers: "follows commits",
  transcripts: { append: "commutes" },
  workers: { revoke: "is news", setDraining: "is news" },
};

export function hasTrait(trait: Trait, { port, method, args }: StoreCall): boolean {
  const ofPort = TRAITS[port];
  if (typeof ofPort !== "object") return ofPort === trait;
  const of = (ofPort as Record<string, Trait | ((...args: unknown[]) => Trait | undefined)>)[method];
  return (typeof of === "function" ? of(...args) : of) === trait;
}
