import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A start of an agent, as the agent itself has noted it. */
export interface Start {
  run: string;
  turn: number;
  worker: string;
  pid: string;
  atMs: number;
}

/** What agents have written down themselves, in a folder that the server does not know. */
export interface Witnesses {
  folder: string;
  starts(): Start[];
  /** The runs whose agents have started, and have not come to their end. */
  live(): Set<string>;
  /** When agents have come to their ends, by `RUN.TURN`. */
  endTimes(): Map<string, number>;
  /** Tells the agents of long work, those that start later too, to come to their ends. */
  endLongWork(): void;
  /** What the agent of a start has written. */
  record(start: Start): Buffer;
}

export function openWitnesses(folder: string): Witnesses {
  for (const name of ["", "starts", "records", "ends"]) {
    mkdirSync(join(folder, name), { recursive: true });
    // Agents are different users.
    chmodSync(join(folder, name), 0o777);
  }
  const names = (kind: string) => readdirSync(join(folder, kind));
  const turnOf = (name: string) => name.split(".").slice(0, 2).join(".");
  return {
    folder,
    starts: () =>
      names("starts").map((name) => {
        const [run = "", turn = "", worker = "", pid = ""] = name.split(".");
        const { mtimeMs: atMs } = statSync(join(folder, "starts", name));
        return { run, turn: Number(turn), worker, pid, atMs };
      }),
    live() {
      const ended = new Set(names("ends").map(turnOf));
      const live = names("starts")
        .map(turnOf)
        .filter((turn) => !ended.has(turn));
      return new Set(live.map((turn) => turn.split(".")[0] ?? ""));
    },
    endTimes: () =>
      new Map(names("ends").map((name) => [turnOf(name), statSync(join(folder, "ends", name)).mtimeMs])),
    endLongWork: () => writeFileSync(join(folder, "long-work-is-over"), ""),
    record({ run, turn, worker, pid }) {
      try {
        return readFileSync(join(folder, "records", `${run}.${turn}.${worker}.${pid}`));
      } catch {
        return Buffer.alloc(0);
      }
    },
  };
}

/** What the agents of a run have written, turn by turn. @param starts of all runs */
export function linesOf(witnesses: Witnesses, starts: readonly Start[], run: string): string[][] {
  return starts
    .filter((start) => start.run === run)
    .map((start) => witnesses.record(start).toString().split("\n"));
}
