import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemCode } from "../../src/errors/error.ts";
import { temporaryFolder } from "../given/folder.ts";
import { ownAuthority } from "../given/own-authority.ts";
import { waitFor } from "../given/server.ts";
import { frontMatterOf, KEY, PRESETS } from "./presets.ts";
import { type AskedModel, type ModelAnswer, TOOK } from "./scripted-model.ts";
import { serverWithProgram } from "./served-program.ts";

/** A name that leads to the loopback interface in the server's own view of /etc/hosts, and that is no exception of a proxy. */
const MODEL = "model.millrace.example";

function withHosts(): string[] {
  const hosts = join(temporaryFolder(), "hosts");
  writeFileSync(hosts, `127.0.0.1 localhost ${MODEL}\n`);
  return ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', hosts];
}

/** The processes of sandboxes: those that have other processes around them than this one. */
function sandboxed(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/ns/pid`) !== readlinkSync("/proc/self/ns/pid");
      } catch {
        return false;
      }
    });
}

/** Where a process has bytes: in its environment or its memory. One that ends in the meantime has none. */
function holds(pid: number, bytes: Buffer): string[] {
  try {
    return search(pid, bytes);
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}

function search(pid: number, bytes: Buffer): string[] {
  const found = readFileSync(`/proc/${pid}/environ`).includes(bytes) ? [`environment of ${pid}`] : [];
  const memory = openSync(`/proc/${pid}/mem`, "r");
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, "utf8").split("\n")) {
      const [, from = "", to = "", access = "", path = ""] =
        /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+\s*(.*)$/.exec(line) ?? [];
      if (!access.startsWith("r") || path === "[vvar]" || path === "[vsyscall]") continue;
      if (includes(memory, Number.parseInt(from, 16), Number.parseInt(to, 16), bytes))
        found.push(`memory of ${pid} ${path}`);
    }
  } finally {
    closeSync(memory);
  }
  return found;
}

function includes(memory: number, from: number, to: number, bytes: Buffer): boolean {
  const chunk = Buffer.alloc(4 * 1024 * 1024);
  for (let at = from; at < to; at += chunk.length - bytes.length) {
    try {
      const read = readSync(memory, chunk, 0, Math.min(chunk.length, to - at), at);
      if (chunk.subarray(0, read).includes(bytes)) return true;
    } catch {
      // Reserved, and not there.
    }
  }
  return false;
}

/** The files that the processes of a sandbox can write, and that have a text: all else is of the system and of the program. */
function filesWith(pids: readonly number[], text: string): string[] {
  return pids.flatMap((pid) => {
    const root = `/proc/${pid}/root`;
    const folders = ["/tmp", "/dev/shm", "/run", "/workspace"].map((folder) => `${root}${folder}/`);
    // 1: nothing found, 2: a socket or a folder that is gone.
    const { stdout } = spawnSync("grep", ["-rlsF", "--devices=skip", text, ...folders], { encoding: "utf8" });
    return stdout.split("\n").filter(Boolean);
  });
}

const heard = ({ body }: AskedModel) => JSON.stringify(body.messages ?? body.input ?? body.contents);
const script = (asked: AskedModel): ModelAnswer =>
  heard(asked).includes("Say nothing.") ? "silence" : { text: "I have answered." };

/** A server whose foreman runs by a preset, in a limited network or one without limits, with a model behind TLS. */
async function started(name: string, network: "limited" | "unlimited") {
  const authority = ownAuthority();
  const isInjected = OF_SEVERAL_SERVICES.includes(name);
  const front = isInjected ? frontMatterOf(name).replace(/\nsecrets: .*/, "") : frontMatterOf(name);
  const agent = (port: number) => {
    const millrace = {
      ...(network === "limited" ? { network: { allow: [`${MODEL}:${port}`, `127.0.0.1:${port}`] } } : {}),
      ...(isInjected ? { inject: { ANTHROPIC_API_KEY: { hosts: [`${MODEL}:${port}`] } } } : {}),
    };
    return `---\nagentType: FOREMAN\n${front}\nmillrace: ${JSON.stringify(millrace)}\n---\nYou answer.\n`;
  };
  const files: Record<string, string> = {};
  return serverWithProgram(name, script, {
    files,
    wrapper: withHosts(),
    env: { NODE_EXTRA_CA_CERTS: authority.file, MILLRACE_SANDBOX: "bwrap" },
    async at(url) {
      const port = await authority.endTls(MODEL, Number(new URL(url).port));
      files["agents/boss/agent.md"] = agent(port);
      return `https://${MODEL}:${port}`;
    },
    row: (url) => ({ keyService: { url } }),
  });
}

/** They have no single service: their keys are injected where the definition says so. */
const OF_SEVERAL_SERVICES = ["opencode"];

const CASES = [
  ...Object.keys(PRESETS).map((name) => [name, "limited"] as const),
  ...Object.keys(PRESETS)
    .filter((name) => !OF_SEVERAL_SERVICES.includes(name))
    .map((name) => [name, "unlimited"] as const),
];

interface Used {
  usage: { input_tokens: number; output_tokens: number };
}

test.each(CASES)(
  "%s in a network that is %s works without its key, which is nowhere in its sandbox while the model is asked",
  async (name, network) => {
    execFileSync("bwrap", ["--version"]);
    const { start, story, model, server } = await started(name, network);
    const id = await start({ prompt: "Hello." });
    const ended = await story.ended(id, 90);
    const transcript = await story.transcript(id);
    expect([ended.state, ended.status_message?.message, transcript]).toMatchObject([
      "SUCCEEDED",
      undefined,
      expect.anything(),
    ]);
    expect(model.asked.map(({ key }) => key)).toEqual(model.asked.map(() => KEY));
    expect(transcript).not.toContain(KEY);
    const { usage } = await server.api<Used>("GET", `/agent/runs/${id}/harness-usage`);
    expect(usage).toMatchObject({
      input_tokens: model.asked.length * TOOK.input,
      output_tokens: model.asked.length * TOOK.output,
    });

    const silent = await start({ prompt: "Say nothing." });
    await waitFor(() => model.asked.some((asked) => heard(asked).includes("Say nothing.")) || undefined, 60);
    const pids = sandboxed();
    expect(pids.length).toBeGreaterThan(1);
    expect(pids.flatMap((pid) => holds(pid, Buffer.from(KEY)))).toEqual([]);
    expect(filesWith(pids, KEY)).toEqual([]);
    // The same search finds what is there.
    expect(pids.some((pid) => holds(pid, Buffer.from("Say nothing.")).length > 0)).toBe(true);
    expect(filesWith(pids, "Say nothing.")).not.toEqual([]);
    // The search has kept this process from noticing that the server has closed its connection.
    await waitFor(() => server.api("POST", `/agent/runs/${silent}/cancel`).catch(() => undefined));
    await story.ended(silent, 30);
  },
);
