import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onFinished } from "./cleanup.ts";
import { folderWith, temporaryFolder } from "./folder.ts";
import { endAgentsIn } from "./processes.ts";
import { MILLRACE, type Server, waitFor } from "./server.ts";

export interface WorkerChoices {
  /** Its name: that of a pool, where several have it. */
  name?: string;
  labels?: string[];
  factories?: string[];
  /** The token of a worker that is there already. */
  token?: string;
  /** The agent's program as JavaScript. */
  agent?: string;
  args?: string[];
  env?: Record<string, string>;
  dataDir?: string;
  /** Where it reaches the server, when that is somewhere else. */
  reachesAt?: string;
}

/** A process that executes the runs of a server: it has an empty home, and knows nothing of the server but its URL. */
export async function aWorker(server: Pick<Server, "api" | "url">, choices: WorkerChoices = {}) {
  const { name = "builder", labels, factories } = choices;
  const token =
    choices.token ??
    (await server.api<{ token: string }>("POST", "/workers", { name, labels, factories })).token;
  const dataDir = choices.dataDir ?? join(temporaryFolder("millrace-worker"), "data");
  const files = folderWith({ token, "agent.mjs": choices.agent ?? "process.exit(0)" });
  chmodSync(files, 0o755);
  chmodSync(join(files, "agent.mjs"), 0o644);
  writeFileSync(join(files, "token"), token, { mode: 0o600 });
  const [command = "", ...words] = MILLRACE;
  const child = spawn(
    command,
    [
      ...words,
      ...["worker", "--server", choices.reachesAt ?? server.url, "--token-file", join(files, "token")],
      ...["--data-dir", dataDir, "--concurrency", "2", ...(choices.args ?? [])],
    ],
    {
      env: {
        PATH: process.env.PATH,
        HOME: temporaryFolder("millrace-home"),
        MILLRACE_SANDBOX: "none",
        MILLRACE_DRAIN_TIMEOUT: "1s",
        MILLRACE_AGENT_COMMAND: `${process.execPath} ${join(files, "agent.mjs")}`,
        ...choices.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  const hear = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  onFinished(async () => {
    await ended(child, "SIGKILL");
    endAgentsIn(dataDir);
  });
  await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}: ${output}`);
    return output.includes("millrace worker executes runs") || undefined;
  });
  return {
    token,
    dataDir,
    pid: child.pid ?? 0,
    said: () => output,
    exitCode: () => child.exitCode,
    stop: () => ended(child, "SIGTERM"),
    kill: () => ended(child, "SIGKILL"),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    child.kill(signal);
  });
}
