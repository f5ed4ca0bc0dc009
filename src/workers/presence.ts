import { type ConnectedProcess, connectedProcess } from "./rules/worker-standing.ts";
import type { ProcessFacts, Worker, WorkerProcess } from "./worker.ts";

interface Seen {
  worker: Worker;
  uid: string;
  facts: ProcessFacts;
  at: string;
}

type Kept = Seen & { writtenAt: string };

/** The processes that a server has seen lately. */
export interface Presence {
  /** The processes that were seen since an instant. */
  connected(awayBefore: string): ConnectedProcess[];
  /** Notes that a process was seen. @returns whether that is worth a write: something is new, or the last write is old */
  see(seen: Seen, writeEvery: number): boolean;
  /** Takes in what is stored, which other servers may have written. */
  learn(workers: readonly Worker[], processes: readonly WorkerProcess[]): void;
  /** A worker was drained, or gets turns again. */
  changeWorker(worker: Worker): void;
  forget(workerId: string, uid: string): void;
  forgetWorker(workerId: string): void;
}

/**
 * Knows from the start who was there when the server stopped: they come back within a beat, or are away.
 * @param mostOfWorker beyond so many processes of a worker, those are forgotten that were not seen for the longest
 */
export function createPresence(
  workers: readonly Worker[],
  processes: readonly WorkerProcess[],
  mostOfWorker: number,
): Presence {
  /** By worker and by process, those last that were seen last. */
  const present = new Map<string, Map<string, Kept>>();
  learn(workers, processes);

  function learn(all: readonly Worker[], stored: readonly WorkerProcess[]): void {
    for (const id of present.keys()) if (!all.some((worker) => worker.id === id)) present.delete(id);
    for (const worker of all) {
      const known = present.get(worker.id) ?? new Map<string, Kept>();
      const own = stored.filter(({ workerId }) => workerId === worker.id);
      for (const { uid, leftAt } of own) if (leftAt !== null) known.delete(uid);
      for (const each of own.filter(({ leftAt }) => leftAt === null).sort(bySeenAt)) {
        const { workerId: _, uid, connectedAt: __, seenAt: at, leftAt: ___, ...facts } = each;
        const before = known.get(uid);
        if (before && before.at >= at) continue;
        known.delete(uid);
        known.set(uid, { worker, uid, facts, at, writtenAt: at });
      }
      for (const seen of known.values()) seen.worker = worker;
      present.set(worker.id, known);
    }
  }

  return {
    learn,
    connected: (awayBefore) =>
      [...present.values()]
        .flatMap((own) => [...own.values()])
        .filter(({ at }) => at >= awayBefore)
        .map(({ worker, uid, facts }) => connectedProcess(worker, uid, facts)),
    see(seen, writeEvery) {
      const own = present.get(seen.worker.id) ?? new Map<string, Kept>();
      present.set(seen.worker.id, own);
      const before = own.get(seen.uid);
      const isNews =
        !before ||
        JSON.stringify(before.facts) !== JSON.stringify(seen.facts) ||
        Math.abs(Date.parse(seen.at) - Date.parse(before.writtenAt)) >= writeEvery;
      own.delete(seen.uid);
      own.set(seen.uid, { ...seen, writtenAt: isNews ? seen.at : before.writtenAt });
      const [oldest] = own.keys();
      if (own.size > mostOfWorker && oldest !== undefined) own.delete(oldest);
      return isNews;
    },
    changeWorker(worker) {
      for (const seen of present.get(worker.id)?.values() ?? []) seen.worker = worker;
    },
    forget: (workerId, uid) => void present.get(workerId)?.delete(uid),
    forgetWorker: (workerId) => void present.delete(workerId),
  };
}

function bySeenAt(a: WorkerProcess, b: WorkerProcess): number {
  return a.seenAt < b.seenAt ? -1 : 1;
}
