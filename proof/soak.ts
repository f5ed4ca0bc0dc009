import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { HarmPart } from "./given/part.ts";

const MAX_MB = 300;
/** Open files beyond those of the first look: connections come and go. */
const MAX_NEW_FILES = 64;

/** Does no harm at all: whatever grows under steady load would bring a server down in a week. */
export const soak: HarmPart = {
  name: "soak",
  share: 0.1,
  large: true,
  prepare: () => ({ options: {} }),
  async harm({ stage, isOver }) {
    const { pid } = stage.server;
    const files: number[] = [];
    let peak = 0;
    do {
      await sleep(500);
      peak = Math.max(peak, residentMb(pid));
      files.push(readdirSync(`/proc/${pid}/fd`).length);
    } while (!isOver());
    const grown = (files.at(-1) ?? 0) - (files[0] ?? 0);
    const broken: string[] = [];
    if (peak > MAX_MB) broken.push(`the server took ${peak} MB`);
    if (grown > MAX_NEW_FILES) broken.push(`the server has opened ${grown} files more than at the beginning`);
    return {
      faults: 0,
      mostCutOff: 0,
      broken,
      note: `memory at its highest ${Math.round(peak)} MB, ${files.at(-1)} open files at the end`,
    };
  },
};

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
