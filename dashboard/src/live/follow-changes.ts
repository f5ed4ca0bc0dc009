import type { Query, QueryKey } from "@tanstack/react-query";
import { queryClient, WHOAMI } from "../api/query-client.ts";
import { setInterrupted } from "./interruption.ts";
import { freshen, isLong } from "./long-lists.ts";
import { hearEvents, type LiveEvent } from "./shared-events.ts";

/** Events come in bursts: what they make stale is loaded again once for all that came within this time. */
const GATHER_MS = 400;

/**
 * Keeps what is shown in step with the server. What is being loaded is loaded to its end before anything is asked for
 * again: on a busy server nothing would ever come to its end otherwise.
 * @returns what ends it
 */
export function followChanges(): () => void {
  const ending = new AbortController();
  // Those of the instant of the event: what is asked for later has the change already.
  let stale = new Set<Query>();
  let isWaiting = false;
  const refresh = async () => {
    const loading = [...stale].map(reload);
    stale = new Set();
    await Promise.allSettled(loading);
    isWaiting = false;
    if (stale.size > 0) wait();
  };
  const wait = () => {
    if (isWaiting || ending.signal.aborted) return;
    isWaiting = true;
    setTimeout(refresh, GATHER_MS);
  };
  hearEvents((event) => {
    if (event.event === "connection") {
      setInterrupted(event.data.state === "lost");
      return;
    }
    for (const queryKey of staleAfter(event)) {
      for (const query of queryClient.getQueryCache().findAll({ queryKey })) stale.add(query);
    }
    wait();
  }, ending.signal);
  return () => {
    ending.abort();
    setInterrupted(false);
  };
}

/** Asks for something again. An answer that is under way may be older than the change, and is waited for. */
async function reload(query: Query): Promise<void> {
  const { data, fetchStatus } = query.state;
  if (data === undefined && fetchStatus === "fetching") await query.promise?.catch(() => {});
  if (isLong(query)) await freshen(query);
  else await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
}

/** Under which keys there is how runs went. */
const OF_RUNS: QueryKey[] = [
  ["webhook-details"],
  ["automation-activity"],
  ["agent-activity"],
  ["family"],
  ["tasks"],
];

/** Under which keys there is what a definition says. */
const OF_DEFINITIONS: QueryKey[] = [
  ["factories"],
  ["webhooks"],
  ["webhook-activity"],
  ["automations"],
  ["revisions"],
  ["files"],
  ["runners"],
  ["agents"],
  ["explanation"],
  ...OF_RUNS,
];

/** Loads again what a definition says, for who has just changed it and must not see how it was. */
export async function refreshDefinitions(): Promise<void> {
  await Promise.all(OF_DEFINITIONS.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Under which keys there is what events change. */
const OF_EVENTS: QueryKey[] = [
  ...OF_DEFINITIONS,
  ["runs"],
  ["latest-runs"],
  ["run"],
  ["deliveries"],
  ["activity"],
  ["pauses"],
];

/** The beginnings of the keys under which something is kept that an event has changed. */
function staleAfter({ event, data }: LiveEvent): QueryKey[] {
  switch (event) {
    case "run":
      return [["runs"], ["latest-runs"], ["run", data.run_id], ["activity"], ...OF_RUNS];
    case "task":
      return [["tasks"]];
    case "delivery":
      return [
        ["deliveries", data.webhook_uid],
        ["deliveries", "all"],
        ["webhook-activity"],
        ["webhook-details"],
        ["activity"],
      ];
    case "webhook":
      return [
        ["deliveries", data.webhook_uid],
        ["deliveries", "all"],
        ["webhooks"],
        ["webhook-activity"],
        ["webhook-details"],
        ["activity"],
      ];
    case "factory":
    case "budget":
      return OF_DEFINITIONS;
    case "pause":
      return [["pauses"]];
    case "signed-out":
      return [WHOAMI];
    case "opened":
      return OF_EVENTS;
    default:
      return [[]];
  }
}
