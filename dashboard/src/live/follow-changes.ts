import type { QueryKey } from "@tanstack/react-query";
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
  let stale: QueryKey[] = [];
  let isWaiting = false;
  const refresh = async () => {
    const keys = new Map(stale.map((key) => [JSON.stringify(key), key]));
    stale = [];
    const loading = [...keys.values()].flatMap((queryKey) => [
      queryClient.invalidateQueries({ queryKey, predicate: (query) => !isLong(query) }),
      ...queryClient.getQueryCache().findAll({ queryKey, predicate: isLong }).map(freshen),
    ]);
    await Promise.allSettled(loading);
    isWaiting = false;
    if (stale.length > 0) wait();
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
    stale.push(...staleAfter(event));
    wait();
  }, ending.signal);
  return () => {
    ending.abort();
    setInterrupted(false);
  };
}

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
];

/** Loads again what a definition says, for who has just changed it and must not see how it was. */
export async function refreshDefinitions(): Promise<void> {
  await Promise.all(OF_DEFINITIONS.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** The beginnings of the keys under which something is kept that an event has changed. */
function staleAfter({ event, data }: LiveEvent): QueryKey[] {
  switch (event) {
    case "run":
      return [["runs"], ["latest-runs"], ["run", data.run_id], ["activity"]];
    case "delivery":
      return [["deliveries", data.webhook_uid], ["webhook-activity"], ["activity"]];
    case "factory":
      return OF_DEFINITIONS;
    case "pause":
      return [["pauses"]];
    case "signed-out":
      return [WHOAMI];
    default:
      return [[]];
  }
}
