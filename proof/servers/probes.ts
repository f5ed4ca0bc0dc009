import { setTimeout as sleep } from "node:timers/promises";
import { TOKEN } from "../given/sent.ts";
import type { Harm } from "../workers/harms.ts";
import type { LoggedDelivery } from "../workers/runs-verdict.ts";
import { type Cluster, PROBE } from "./cluster.ts";
import { NAMED_SERVER } from "./server-node.ts";

const EVERY_MS = 200;
const PATIENCE_MS = 2_000;
/** An accepted delivery: which server has taken it, and when it was asked to and has answered. */
interface Taken {
  server: number;
  askedAt: number;
  answeredAt: number;
}

/** Deliveries to each server past the balancer's choice, which start nothing. */
export interface Probes {
  taken: Taken[];
  /** How often one was sent again. */
  retries(): number;
  /** Ends when every server has taken one that was sent after this was called. */
  settle(): Promise<void>;
  /** Holds what was answered against the log. */
  judge(deliveries: readonly LoggedDelivery[]): { lost: string[]; doubled: string[]; broken: string[] };
}

/** Asks each server again and again whether it takes deliveries; what was not taken is sent again until it is. */
export function startProbes({ url, servers, probePath }: Cluster): Probes {
  const taken: Taken[] = [];
  const sent = new Map<string, Set<string>>();
  const broken: string[] = [];
  /** When no more was to be sent than each server needs to show that it is well. */
  let overAt = Number.POSITIVE_INFINITY;
  let retries = 0;

  async function send(server: number, identity: string): Promise<boolean> {
    const askedAt = Date.now();
    try {
      const answer = await fetch(url + probePath, {
        method: "POST",
        headers: {
          authorization: `Bearer ${TOKEN}`,
          "x-service-delivery-id": identity,
          [NAMED_SERVER]: String(server),
        },
        body: JSON.stringify({ identity }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await answer.text();
      if (answer.status === 202) {
        sent.get(identity)?.add(JSON.parse(text).delivery_id);
        taken.push({ server, askedAt, answeredAt: Date.now() });
        return true;
      }
      if (answer.status !== 503) broken.push(`probe ${identity} was answered ${answer.status}: ${text}`);
    } catch {
      // It is away.
    }
    return false;
  }

  async function probe(server: number): Promise<void> {
    const isWell = () => taken.some((each) => each.server === server && each.askedAt >= overAt);
    for (let count = 0; !isWell(); count += 1) {
      const identity = `${PROBE}-${server}-${count}`;
      sent.set(identity, new Set());
      while (!(await send(server, identity))) {
        retries += 1;
        await sleep(EVERY_MS);
      }
      await sleep(EVERY_MS);
    }
  }

  const probing = servers.map(({ number }) => probe(number));
  return {
    taken,
    retries: () => retries,
    async settle() {
      overAt = Date.now();
      await Promise.all(probing);
    },
    judge: (deliveries) => ({ ...judgeProbes(sent, deliveries), broken }),
  };
}

function judgeProbes(sent: ReadonlyMap<string, ReadonlySet<string>>, deliveries: readonly LoggedDelivery[]) {
  const accepted = new Map(
    deliveries.filter(({ outcome }) => outcome === "Accepted").map((each) => [each.delivery_id, each]),
  );
  const [lost, doubled]: [string[], string[]] = [[], []];
  for (const [identity, ids] of sent) {
    if (ids.size > 1) doubled.push(`${identity} was taken as ${[...ids].join(" and ")}`);
    for (const id of ids) {
      const runs = accepted.get(id)?.run_ids;
      if (!runs) lost.push(`${identity} was answered 202, and is not in the log`);
      else if (runs.length > 0) doubled.push(`${identity} has started ${runs.join(" and ")}`);
    }
  }
  if (accepted.size > sent.size)
    doubled.push(`${accepted.size} probes were accepted, and ${sent.size} were sent`);
  return { lost, doubled };
}

/**
 * How long after each moment in which nothing was harmed any more every server took deliveries again, in milliseconds; the last one
 * is that of the end. A moment that ended before then is left out.
 */
export function recoveries(
  taken: readonly Taken[],
  harms: readonly Harm[],
  servers: readonly number[],
): number[] {
  const ends = harms.map(({ untilMs }) => untilMs).sort((a, b) => a - b);
  const quiet = ends.filter((end) => !harms.some((harm) => harm.fromMs <= end && harm.untilMs > end));
  return quiet.flatMap((from) => {
    const until = Math.min(...harms.map(({ fromMs }) => fromMs).filter((at) => at > from));
    const firsts = servers.map((server) => {
      const first = taken.find((each) => each.server === server && each.askedAt >= from);
      return first ? first.answeredAt - from : Number.POSITIVE_INFINITY;
    });
    const slowest = Math.max(...firsts);
    return until === Number.POSITIVE_INFINITY || from + slowest < until ? [slowest] : [];
  });
}
