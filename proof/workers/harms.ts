/** Something that was done to a node, which may explain why runs on it have not succeeded. */
export interface Harm {
  /** `server` for what harms the runs of every worker. */
  node: string;
  kind: string;
  fromMs: number;
  untilMs: number;
}

/** What was done, in its order. */
export interface Harms {
  all: Harm[];
  /** Does something for as long as it takes, and notes it. */
  during(node: string, kind: string, act: () => Promise<void>): Promise<void>;
  counts(): Map<string, number>;
}

export function noteHarms(): Harms {
  const all: Harm[] = [];
  return {
    all,
    async during(node, kind, act) {
      const harm = { node, kind, fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY };
      all.push(harm);
      try {
        await act();
      } finally {
        harm.untilMs = Date.now();
      }
    },
    counts() {
      const counts = new Map<string, number>();
      for (const { kind } of all) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return counts;
    },
  };
}

/** Of the lease: a worker that was heard less often may have ended its agents. */
const LONG_UNHEARD = 0.6;
/** What harms those whom workers ask: a server, or the database of several. */
const SERVERS = /^(server|postgres)/;
/** Requests that are carried out twice are no reason to fail. */
const HARMLESS = ["double"];

/**
 * What a server that was harmed comes to for a worker: the times in which none of its beats was answered for long.
 * @param beats when beats were sent that were answered
 */
export function absencesOf(
  worker: string,
  { beats, harms, leaseMs }: { beats: readonly number[]; harms: readonly Harm[]; leaseMs: number },
): Harm[] {
  const ofServer = harms.filter(({ node }) => SERVERS.test(node));
  return beats.flatMap((fromMs, at) => {
    const untilMs = beats[at + 1] ?? Number.POSITIVE_INFINITY;
    const isLong = untilMs - fromMs > LONG_UNHEARD * leaseMs;
    const isHarmed = ofServer.some((harm) => harm.fromMs < untilMs && harm.untilMs > fromMs);
    return isLong && isHarmed ? [{ node: worker, kind: "server absent", fromMs, untilMs }] : [];
  });
}

/** Whether something that was done explains that a run of a worker has not succeeded. */
export function explains(
  { node, kind, fromMs, untilMs }: Harm,
  run: { worker: string | undefined; fromMs: number; untilMs: number },
  leaseMs: number,
): boolean {
  if (node === "server" || HARMLESS.includes(kind)) return false;
  if (run.worker !== undefined && node !== run.worker) return false;
  return fromMs <= run.untilMs && untilMs + 2 * leaseMs >= run.fromMs;
}
