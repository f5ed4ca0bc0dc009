import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { onFinished } from "../../test/given/cleanup.ts";

/** What this machine lets a test divide. */
export interface Divisible {
  /** Whether each node can have a network of its own. */
  networks: boolean;
}

/**
 * Finds out what can be divided here.
 * @param mayFallBack whether nodes may share a network
 * @throws Error where not even processes and mounts can be: a node without its own /proc hides a missing fence
 */
export function findDivisible({ mayFallBack }: { mayFallBack: boolean }): Divisible {
  const works = (...options: string[]) => spawnSync("unshare", [...options, "true"]).status === 0;
  if (!works("--pid", "--mount", "--fork", "--mount-proc", "--kill-child"))
    throw new Error(
      "Nodes need process and mount namespaces of their own, and `unshare` cannot create them here. " +
        "Run the proof as root on Linux, outside of containers that forbid it, with util-linux installed.",
    );
  const networks = works("--net") && spawnSync("ip", ["-V"]).status === 0;
  if (!networks && !mayFallBack)
    throw new Error(
      "Each node needs a network of its own, and none can be created here. Run the proof as root, with iproute2 installed.",
    );
  return { networks };
}

/** A program of the proof in a network that it may have to itself. */
export interface Holder {
  pid: number;
  /** What it has said first: its port. */
  port: number;
  /** @returns what it has answered */
  send(message: object): Promise<Record<string, unknown>>;
}

/** Starts a program of this folder, in a network namespace of its own if there are any. */
export async function startHolder(program: string, args: string[], { networks }: Divisible): Promise<Holder> {
  const script = new URL(program, import.meta.url).pathname;
  const words = [...(networks ? ["unshare", "--net", "--"] : []), process.execPath, script, ...args];
  const [command = "", ...rest] = words;
  const child = spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  onFinished(() => void child.kill("SIGKILL"));
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const holder = {
    pid: child.pid ?? 0,
    port,
    async send(message: object) {
      const answered = once(child, "message");
      child.send(message);
      return (await answered)[0];
    },
  };
  if (networks) ipIn(holder, "link", "set", "lo", "up");
  return holder;
}

/** Runs `ip` in the network of a holder. */
export function ipIn({ pid }: Pick<Holder, "pid">, ...args: string[]): void {
  execFileSync("nsenter", ["-t", String(pid), "-n", "ip", ...args], { stdio: ["ignore", "ignore", "pipe"] });
}

/**
 * Lays a cable between two networks, which reach each other over it and nobody else.
 * @returns the address of the first
 */
export function layCable(first: Holder, second: Holder, number: number): string {
  const [here, there] = [`10.77.${number}.1`, `10.77.${number}.2`];
  const name = cableName(number);
  ipIn(first, "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", String(second.pid));
  ipIn(first, "addr", "add", `${here}/30`, "dev", name);
  ipIn(second, "addr", "add", `${there}/30`, "dev", "eth0");
  ipIn(first, "link", "set", name, "up");
  ipIn(second, "link", "set", "eth0", "up");
  return here;
}

/** What a cable is called at its first end. */
export const cableName = (number: number) => `cable${number}`;

export interface NodeProcesses {
  /** Names of folders that the node must not see. */
  hidden: string[];
  command: string[];
  env: Record<string, string>;
  /** The network that it is in. */
  network: Holder;
  divisible: Divisible;
  hear(text: string): void;
}

/** Starts the first process of a node, in namespaces of its own. @returns `unshare`, whose only child that process is */
export function startInit(node: NodeProcesses): ChildProcess {
  const enter = node.divisible.networks ? ["nsenter", "-t", String(node.network.pid), "-n", "--"] : [];
  const divide = ["unshare", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc", "--"];
  const init = ["bash", new URL("node-init.sh", import.meta.url).pathname];
  const words = [...enter, ...divide, ...init, String(node.hidden.length), ...node.hidden, ...node.command];
  const [command = "", ...args] = words;
  const child = spawn(command, args, { env: node.env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {});
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => node.hear(bytes.toString()));
  return child;
}

/** A process as this machine sees it. */
export interface Seen {
  pid: number;
  parent: number;
  command: string;
  /** Whether it has ended, and nobody has asked how. */
  isGone: boolean;
}

/** The processes in the process namespace of a process, without looking into any other. */
export function processesBeside(pid: number): Seen[] {
  const space = namespaceOf(pid);
  if (space === undefined) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && namespaceOf(Number(name)) === space)
    .flatMap((name) => {
      const [status, command] = [textOf(`/proc/${name}/status`), textOf(`/proc/${name}/cmdline`)];
      if (status === "") return [];
      const parent = Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
      const isGone = !/^VmSize:/m.test(status);
      return [{ pid: Number(name), parent, command: command.replaceAll("\0", " "), isGone }];
    });
}

/** The only child of a process. */
export function childOf(pid: number): number | undefined {
  const [child] = textOf(`/proc/${pid}/task/${pid}/children`).trim().split(" ");
  return child ? Number(child) : undefined;
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
