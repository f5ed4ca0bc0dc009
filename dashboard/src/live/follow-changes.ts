import type { Query, QueryKey } from "@tanstack/react-query";
import { AuthenticationError, millrace } from "../api/client.ts";
import type { Freshener } from "../api/freshen.ts";
import { PAGE_ROWS } from "../api/paged-query.ts";
import { itemsOf } from "../api/pages.ts";
import { inboxQuery } from "../api/queries.ts";
import { queryClient, WHOAMI } from "../api/query-client.ts";
import { setInterrupted } from "./interruption.ts";

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

/** Under which key there is what waits for a person. */
const INBOX: QueryKey = ["inbox"];

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
  INBOX,
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
  ["holds"],
];

/** The beginnings of the keys under which something is kept that an event has changed. */
function staleAfter({ event, data }: LiveEvent): QueryKey[] {
  switch (event) {
    case "run":
      return [["runs"], ["latest-runs"], ["run", data.run_id], ["activity"], INBOX, ...OF_RUNS];
    case "task":
      return [["tasks"]];
    case "delivery":
      return [
        ["deliveries", data.webhook_uid],
        ["deliveries", "all"],
        ["webhook-activity"],
        ["webhook-details"],
        ["activity"],
        ...(changesInbox(data) ? [INBOX] : []),
      ];
    case "webhook":
      return [
        ["deliveries", data.webhook_uid],
        ["deliveries", "all"],
        ["webhooks"],
        ["webhook-activity"],
        ["webhook-details"],
        ["activity"],
        INBOX,
      ];
    case "factory":
    case "budget":
      return OF_DEFINITIONS;
    case "pause":
      return [["pauses"]];
    case "hold":
      return [["holds"], ["run"], INBOX];
    case "signed-out":
      return [WHOAMI];
    case "opened":
      return OF_EVENTS;
    default:
      return [[]];
  }
}

/** Most deliveries are accepted, and are of senders that were accepted before. */
function changesInbox({ outcome, webhook_uid }: LiveEvent["data"]): boolean {
  const waiting = queryClient.getQueryData(inboxQuery.queryKey) ?? [];
  return (
    outcome?.startsWith("Rejected") === true ||
    waiting.some(({ id }) => id === `sender_refused:${webhook_uid}`)
  );
}

type Pages = Parameters<Freshener["merge"]>[0];

/** Whether a list is loaded so far down that loading it again page by page would be many requests. */
function isLong({ state }: Query): boolean {
  const pages = state.data as Pages | undefined;
  return pages?.pages !== undefined && itemsOf(pages).length > PAGE_ROWS;
}

/** Brings a long list up to date. One that no one looks at is loaded again when someone does. */
async function freshen(query: Query): Promise<void> {
  const { queryKey, meta } = query;
  if (!query.isActive()) return queryClient.invalidateQueries({ queryKey, exact: true });
  const { freshener } = meta as { freshener: Freshener };
  const fresh = await freshener.load(itemsOf(query.state.data as Pages).length);
  // A page that is being loaded just now is put below what the list was when that began.
  if (query.state.fetchStatus !== "idle") await query.promise;
  queryClient.setQueryData(queryKey, (before: Pages | undefined) => before && freshener.merge(before, fresh));
}

/** Something has changed on the server. */
interface LiveEvent {
  event: string;
  data: Record<string, string | undefined>;
}

const NAME = "millrace-events";
/** After a stream that could not be resumed. */
const AGAIN_MS = 5_000;

/**
 * Hears of every change, in all tabs, over one stream: over HTTP/1.1 a browser opens six connections to a server at
 * most, and a stream in each tab would leave none for anything else. The tab that has the lock reads, and tells the
 * others; when it is closed, the next one goes on. Where there are no locks (plain http beyond loopback) each tab reads
 * for itself.
 */
function hearEvents(onEvent: (event: LiveEvent) => void, signal: AbortSignal): void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => onEvent(data);
  signal.addEventListener("abort", () => channel.close());
  const tell = (event: LiveEvent) => {
    onEvent(event);
    if (!signal.aborted) channel.postMessage(event);
  };
  if (!("locks" in navigator)) {
    void read(onEvent, signal);
    return;
  }
  // Ends with the signal or the tab.
  navigator.locks.request(NAME, { signal }, () => read(tell, signal)).catch(() => {});
}

async function read(tell: (event: LiveEvent) => void, signal: AbortSignal): Promise<void> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    let hasBegun = false;
    const onConnection = (state: "open" | "lost") => {
      tell({ event: "connection", data: { state } });
      if (state === "lost" || hasBegun) return;
      hasBegun = true;
      // A stream begins with its opening, so that what was loaded earlier may lack a change; one that is resumed has all.
      tell({ event: isFirst ? "opened" : "reset", data: {} });
    };
    try {
      for await (const { event, data } of millrace.events({ signal, onConnection })) {
        tell({ event, data: data as LiveEvent["data"] });
      }
    } catch (error) {
      if (error instanceof AuthenticationError) tell({ event: "signed-out", data: {} });
      else tell({ event: "connection", data: { state: "lost" } });
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
