import type { QueryKey } from "@tanstack/react-query";
import { queryClient, WHOAMI } from "../api/query-client.ts";
import { hearEvents, type LiveEvent } from "./shared-events.ts";

/** Events come in bursts: what they make stale is loaded anew once for all that came within this time. */
const GATHER_MS = 400;
/** Lists that are loaded further than this are not loaded anew as a whole: that would be a request for each page. */
const MOST_PAGES = 3;

/** Keeps what is shown in step with the server. @returns what ends it */
export function followChanges(): () => void {
  const ending = new AbortController();
  let stale: QueryKey[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    timer = undefined;
    const keys = new Map(stale.map((key) => [JSON.stringify(key), key]));
    stale = [];
    for (const queryKey of keys.values())
      void queryClient.invalidateQueries({ queryKey, predicate: isShort });
  };
  hearEvents((event) => {
    stale.push(...staleAfter(event));
    timer ??= setTimeout(refresh, GATHER_MS);
  }, ending.signal);
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}

function isShort({ state }: { state: { data?: unknown } }): boolean {
  const { pages } = (state.data ?? {}) as { pages?: unknown[] };
  return pages === undefined || pages.length <= MOST_PAGES;
}

/** The beginnings of the keys under which something is kept that an event has changed. */
function staleAfter({ event, data }: LiveEvent): QueryKey[] {
  switch (event) {
    case "run":
      return [["runs"], ["latest-runs"], ["run", data.run_id], ["activity"]];
    case "delivery":
      return [["deliveries", data.webhook_uid], ["activity"]];
    case "factory":
      return [
        ["factories"],
        ["webhooks"],
        ["automations"],
        ["revisions"],
        ["runners"],
        ["agents"],
        ["explanation"],
      ];
    case "signed-out":
      return [WHOAMI];
    default:
      return [[]];
  }
}
