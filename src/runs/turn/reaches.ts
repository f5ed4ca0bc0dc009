/** Why a connection was refused, as `GET /api/v1/agent/runs/{id}/network` names it. */
export const REFUSAL_REASONS = [
  /** The host, the address or the port is not in the allowlist. */
  "not_allowed",
  /** The name leads to a private, link-local or loopback address that the allowlist does not name. */
  "private_address",
  /** What is asked for inside of a connection is another host than the connection is for. */
  "host_mismatch",
  /** Not a request that the proxy understands, or one for no host. */
  "invalid",
  /** The name has no address. */
  "unresolved",
  "unreachable",
  /** The run has as many connections open as it may have. */
  "too_many_connections",
  /** The run has used up its budget. */
  "over_budget",
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export interface Reach {
  host: string;
  port: number;
  requests: number;
}

export interface RefusedReach extends Reach {
  reason: RefusalReason;
}

/** Which hosts the programs of a turn have reached so far, and which they were refused. */
export interface Reaches {
  reached: Reach[];
  refused: RefusedReach[];
}

/** A host that a run of a factory has reached. */
export interface FactoryReach {
  runId: string;
  automationUid: string | null;
  agentUid: string | null;
  host: string;
  port: number;
}

/** Stores what the programs of runs reach. */
export interface ReachStore {
  /** Records all that the programs of the turn have reached so far. */
  keepReaches(claim: { id: string; ticket: number }, reaches: Reaches, at: string): Promise<void>;
  /** The hosts that runs of a factory have reached since an instant, the newest runs first. */
  listFactoryReaches(factoryUid: string, since: string, limit: number): Promise<FactoryReach[]>;
  /** Of all turns of a run together. */
  /** @param turn only those of one turn */
  listReaches(runId: string, turn?: number): Promise<Reaches>;
}

export interface ReachRecorder {
  reached(host: string, port: number): void;
  refused(host: string, port: number, reason: RefusalReason): void;
  list(): Reaches;
}

/** A program can make up as many names as it likes. */
const MAX_LISTED = 200;
/** Under this name, those are counted that are too many to be listed. */
export const OTHER_HOSTS = "(other hosts)";
/** Under this name, requests are counted that are for no host. */
export const NO_HOST = "(no host)";

/** Counts what one program of a run reaches. @param onChange is called after each change */
export function recordReaches(onChange: () => void): ReachRecorder {
  const reached = new Map<string, Reach>();
  const refused = new Map<string, RefusedReach>();

  function count<Entry extends Reach>(entries: Map<string, Entry>, entry: Entry, rest: string): void {
    const place = (one: Entry) => `${one.host} ${one.port} ${rest}`;
    const isListed = entries.has(place(entry)) || entries.size < MAX_LISTED;
    const listed = isListed ? entry : { ...entry, host: OTHER_HOSTS, port: 0 };
    const before = entries.get(place(listed));
    entries.set(place(listed), { ...listed, requests: (before?.requests ?? 0) + 1 });
    onChange();
  }

  return {
    reached: (host, port) => count(reached, { host, port, requests: 0 }, ""),
    refused: (host, port, reason) => count(refused, { host, port, reason, requests: 0 }, reason),
    list: () => ({ reached: [...reached.values()], refused: [...refused.values()] }),
  };
}

/** What several programs have reached together. */
export function sumReaches(all: readonly Reaches[]): Reaches {
  return {
    reached: sumBy(
      all.flatMap(({ reached }) => reached),
      ({ host, port }) => `${host} ${port}`,
    ),
    refused: sumBy(
      all.flatMap(({ refused }) => refused),
      ({ host, port, reason }) => `${host} ${port} ${reason}`,
    ),
  };
}

function sumBy<Entry extends Reach>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Entry[] {
  const sums = new Map<string, Entry>();
  for (const entry of entries) {
    const before = sums.get(keyOf(entry));
    sums.set(keyOf(entry), { ...entry, requests: entry.requests + (before?.requests ?? 0) });
  }
  return [...sums.values()];
}
