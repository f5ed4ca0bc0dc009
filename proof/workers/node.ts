import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { onFinished } from "../../test/given/cleanup.ts";
import { MILLRACE, waitFor } from "../../test/given/server.ts";
import { childOf, type Divisible, type Holder, processesBeside, type Seen, startInit } from "./namespaces.ts";

/** A machine of the fleet: processes, mounts and a network of its own, and a program that is started again when it ends. */
export interface FleetNode {
  name: string;
  said(): string;
  /** What is alive on it, by the numbers that this machine gives. */
  processes(): Seen[];
  main(): number | undefined;
  supervisor(): number | undefined;
  agents(): number[];
  /** Sends a signal to a process of it. @returns whether there was one */
  signal(what: "main" | "supervisor" | "agent" | "all", signal: NodeJS.Signals): boolean;
  /** Ends all of it at once, and starts it anew with what is on its disk. */
  loseAndReplace(): Promise<void>;
}

export interface NodeOptions {
  name: string;
  /** The arguments of millrace. */
  args: string[];
  env: Record<string, string>;
  hidden: string[];
  network: Holder;
  divisible: Divisible;
}

export async function startNode({ name, args, env, ...rest }: NodeOptions): Promise<FleetNode> {
  const command = [...MILLRACE, ...args];
  let said = "";
  const hear = (text: string) => {
    said = (said + text).slice(-2_000_000);
  };
  const whole = { PATH: process.env.PATH ?? "", ...env };
  let outer: ChildProcess;
  let init = 0;
  async function start(): Promise<void> {
    outer = startInit({ ...rest, command, env: whole, hear });
    init = await waitFor(() => {
      if (outer.exitCode !== null) throw new Error(`node ${name} could not be started: ${said}`);
      return childOf(outer.pid ?? 0);
    });
  }
  async function end(): Promise<void> {
    if (outer.exitCode !== null || outer.signalCode !== null) return;
    const ended = once(outer, "exit");
    // The kernel ends everything in the namespace with its first process.
    process.kill(init, "SIGKILL");
    await ended;
  }
  onFinished(end);
  await start();

  const processes = () => (childOf(outer.pid ?? 0) === init ? processesBeside(init) : []).filter(isAlive);
  const isMain = (command: string) => command.includes(` ${args[0]} `) && !command.includes("node-init.sh");
  const find = (isIt: (seen: Seen) => boolean) => processes().find(isIt)?.pid;
  const node: FleetNode = {
    name,
    said: () => said,
    processes,
    main: () => find(({ parent, command }) => parent === init && isMain(command)),
    supervisor: () => find(({ command }) => /supervisor-main\.js|agent-supervisor/.test(command)),
    agents: () => processes().flatMap(({ pid }) => (isAgent(pid) ? [pid] : [])),
    signal(what, signal) {
      const main = what === "main" ? node.main() : node.supervisor();
      const agents = what === "agent" ? node.agents().slice(0, 1) : [];
      const all = what === "all" ? processes().filter(({ pid }) => pid !== init) : [];
      const single = what === "main" || what === "supervisor" ? [main] : [];
      const pids = [...single, ...agents, ...all.map(({ pid }) => pid)].filter((pid) => pid !== undefined);
      for (const pid of pids) sendSignal(pid, signal);
      return pids.length > 0;
    },
    async loseAndReplace() {
      await end();
      await sleep(200);
      await start();
    },
  };
  return node;
}

function isAlive({ isGone }: Seen): boolean {
  return !isGone;
}

/** Agents live in workspaces, and in no other home. */
function isAgent(pid: number): boolean {
  try {
    return /(^|\0)HOME=[^\0]*\/workspaces\//.test(readFileSync(`/proc/${pid}/environ`, "latin1"));
  } catch {
    return false;
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
