import type { ChildProcess, ForkOptions } from "node:child_process";
import type { Log } from "../../log.ts";
import { forkAgentSupervisor } from "../../platform/threads.ts";
import { type AgentProgram, followProgram, type ProgramListener } from "./agent-program.ts";
import type { FromSupervisor, ProgramSpec, ToSupervisor } from "./supervisor-messages.ts";

export interface AgentSupervisor {
  start(spec: ProgramSpec, listener: ProgramListener): AgentProgram;
  /** Ends the host, and what it has started. */
  stop(): Promise<void>;
}

/**
 * A host that has programs and says nothing for so long, though it was asked, is as good as ended; a busy machine is
 * not.
 */
const SILENCE_MS = 10_000;
/** How long a host may take to end with the server. */
const STOP_MS = 5_000;

/**
 * Starts the process whose children the programs of runs are. When it ends by itself, its programs are lost, and the
 * next one that is asked for finds a new process.
 */
export function startAgentSupervisor(log: Log, program?: URL): AgentSupervisor {
  const programs = new Map<number, ReturnType<typeof followProgram>>();
  let last = 0;
  let isStopping = false;
  let child: ChildProcess | undefined;

  function open(): ChildProcess {
    // Buffers travel as they are. Nothing of the server's environment is the host's.
    const options: ForkOptions = {
      serialization: "advanced",
      env: {},
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    };
    const opened = forkAgentSupervisor(options, program);
    let isHeard = true;
    opened.on("message", (message: FromSupervisor) => {
      isHeard = true;
      programs.get(message.id)?.hear(message);
    });
    const listen = () => {
      if (!isHeard) opened.kill("SIGKILL");
      isHeard = programs.size === 0;
      if (!isHeard) opened.send({ ask: "alive", id: 0 } satisfies ToSupervisor, () => {});
    };
    // Where it was this process that slept, what has come in the meantime is read before the host is judged.
    const watch = setInterval(() => setImmediate(listen), SILENCE_MS);
    watch.unref();
    opened.once("exit", () => clearInterval(watch));
    opened.stderr?.on("data", (said: Buffer) =>
      log.error({ said: said.toString("utf8") }, "the agent supervisor wrote to standard error"),
    );
    const onEnd = (why: object) => {
      if (child !== opened) return;
      child = undefined;
      if (!isStopping) log.error(why, "the agent supervisor exited, and its runs were lost");
      for (const lost of programs.values()) lost.lose();
    };
    opened.on("error", (error) => {
      // What could not be started has no end; what can no longer be talked to gets one.
      if (opened.pid === undefined) onEnd({ error: error.message });
      else opened.kill("SIGKILL");
    });
    opened.once("exit", (code, signal) => onEnd({ code, signal }));
    return opened;
  }

  /** A supervisor that is gone has lost its programs already: no one waits for an answer. */
  const ask = (message: ToSupervisor) => void child?.send(message, () => {});

  child = open();
  return {
    start(spec, listener) {
      last += 1;
      const id = last;
      const followed = followProgram(id, listener, ask);
      if (isStopping) {
        followed.lose();
        return followed.program;
      }
      programs.set(id, followed);
      void followed.program.closed.then(() => programs.delete(id));
      child ??= open();
      ask({ ask: "start", id, spec });
      return followed.program;
    },
    async stop() {
      isStopping = true;
      const ending = child;
      if (!ending) return;
      const exited = new Promise((resolve) => ending.once("exit", resolve));
      ending.disconnect();
      const kill = setTimeout(() => ending.kill("SIGKILL"), STOP_MS);
      await exited;
      clearTimeout(kill);
    },
  };
}
