import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { waitFor } from "../../test/given/server.ts";
import { cableName, type Divisible, type Holder, ipIn, layCable, startHolder } from "./namespaces.ts";
import { type FleetNode, startNode } from "./node.ts";
import type { Witnesses } from "./witnesses.ts";

/** Of each worker. */
export const CONCURRENCY = 4;
const AGENT = fileURLToPath(new URL("agent.sh", import.meta.url));
const LIVE_AGENT = fileURLToPath(new URL("live-agent.sh", import.meta.url));
const SHIFTED_CLOCK = fileURLToPath(new URL("../../test/given/shifted-clock.cjs", import.meta.url));

/** How a wire stands; `every` so many requests are hit, and `ms` is the longest delay. */
export interface WireState {
  kind: "pass" | "cut" | "swallow" | "delay" | "lose" | "double";
  every?: number;
  ms?: number;
}

/** A worker, and the wire between it and the server. */
export interface FleetWorker extends FleetNode {
  wire(state: WireState): Promise<void>;
  /** When beats were sent that were answered. */
  beats(): Promise<number[]>;
  /** Pulls the cable out, or puts it in again; nothing where networks cannot be divided. */
  plug: ((isIn: boolean) => void) | undefined;
}

export interface FleetWorkerOptions {
  name: string;
  token: string;
  /** How far the clock of the machine is from that of the server. */
  clockMs: number;
  /** A folder of its own, with a folder `home`. */
  folder: string;
  /** Folders that it must not see. */
  hidden: string[];
  /** The number of its cable. */
  number: number;
  /** The network that its cable leads to, and the port of the server there. */
  network: Holder;
  port: number;
  witnesses: Witnesses;
  divisible: Divisible;
}

/** Starts a worker on a machine of its own, and waits until it executes runs. */
export async function startWorker(options: FleetWorkerOptions): Promise<FleetWorker> {
  const { name, folder, hidden, witnesses, divisible } = options;
  const link = await startLink("link.mjs", options);
  writeFileSync(join(folder, "token"), options.token, { mode: 0o600 });
  const node = await startNode({
    name,
    args: [
      ...[
        "worker",
        "--server",
        `http://127.0.0.1:${link.holder.port}`,
        "--token-file",
        join(folder, "token"),
      ],
      ...["--name", name, "--data-dir", join(folder, "data"), "--concurrency", String(CONCURRENCY)],
      ...["--config", settingsFile(folder, name, witnesses)],
    ],
    env: {
      HOME: join(folder, "home"),
      MILLRACE_DRAIN_TIMEOUT: "1s",
      ...shiftedClock(folder, options.clockMs),
      ...agentSettings(name, witnesses),
    },
    hidden,
    network: link.holder,
    divisible,
  });
  await waitFor(() => node.said().includes("millrace worker executes runs"), 60);
  for (const path of hidden)
    if (seesFrom(node, join(path, "home"))) throw new Error(`worker ${name} can see ${path}`);
  return {
    ...node,
    wire: async (state) => void (await link.holder.send({ every: 1, ms: 0, ...state })),
    beats: async () => (await link.holder.send({ kind: "report" })).beats as number[],
    plug: link.plug,
  };
}

/** Writes settings with the harness of live sessions. @returns their file */
export function settingsFile(folder: string, name: string, witnesses: Witnesses, more: object = {}): string {
  const harnesses = { live: { command: ["bash", LIVE_AGENT, witnesses.folder, name], stdin: "messages" } };
  const file = join(folder, "millrace.yaml");
  writeFileSync(file, JSON.stringify({ harnesses, ...more }));
  return file;
}

/** The environment of whatever executes runs of the proof. */
export function agentSettings(name: string, witnesses: Witnesses): Record<string, string> {
  return { MILLRACE_SANDBOX: "none", MILLRACE_AGENT_COMMAND: `bash ${AGENT} ${witnesses.folder} ${name}` };
}

/** The environment of a machine whose clock is wrong. */
export function shiftedClock(folder: string, clockMs: number): Record<string, string> {
  const file = join(folder, "clock");
  writeFileSync(file, String(clockMs));
  return { NODE_OPTIONS: `--require ${SHIFTED_CLOCK}`, CLOCK_SHIFT_FILE: file };
}

/** Starts what carries a node's traffic to a port at the other end of its cable, in a network of the node's own. */
export async function startLink(
  program: string,
  { number, network, port, divisible }: Pick<FleetWorkerOptions, "number" | "network" | "port" | "divisible">,
): Promise<{ holder: Holder; plug: FleetWorker["plug"] }> {
  // The address is that of the cable, which is laid once there is a network at its other end.
  const address = divisible.networks ? `10.77.${number}.1` : "127.0.0.1";
  const holder = await startHolder(program, [address, String(port)], divisible);
  if (!divisible.networks) return { holder, plug: undefined };
  layCable(network, holder, number);
  const plug = (isIn: boolean) => ipIn(network, "link", "set", cableName(number), isIn ? "up" : "down");
  return { holder, plug };
}

/** Looks for a file with the eyes of a node. */
function seesFrom(node: FleetNode, path: string): boolean {
  const pid = node.main();
  return pid === undefined || existsSync(`/proc/${pid}/root${path}`);
}
