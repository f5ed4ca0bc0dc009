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

/** A server that is away for longer than this is as good as cut off from its workers. */
const LONG_AWAY = 0.4;
/** Requests that are carried out twice, and a server that is there again soon, are no reason to fail. */
const HARMLESS = ["double"];

/** Whether something that was done explains that a run of a worker has not succeeded. */
export function explains(
  { node, kind, fromMs, untilMs }: Harm,
  run: { worker: string | undefined; fromMs: number; untilMs: number },
  leaseMs: number,
): boolean {
  if (HARMLESS.includes(kind)) return false;
  if (node === "server" && untilMs - fromMs < LONG_AWAY * leaseMs) return false;
  if (node !== "server" && run.worker !== undefined && node !== run.worker) return false;
  return fromMs <= run.untilMs && untilMs + 2 * leaseMs >= run.fromMs;
}
