import { type ChildProcess, fork } from "node:child_process";
import type { Log } from "../../log.ts";
import { type AgentProgram, followProgram, type ProgramListener } from "./agent-program.ts";
import type { FromHost, ProgramSpec, ToHost } from "./host-messages.ts";

export interface AgentHost {
  start(spec: ProgramSpec, listener: ProgramListener): AgentProgram;
  /** Ends the host, and what it has started. */
  stop(): Promise<void>;
}

const PROGRAM = new URL("./host-main.js", import.meta.url);

/**
 * Starts the process whose children the programs of runs are. When it ends by itself, its programs are lost, and the next
 * one that is asked for finds a new process.
 */
export function startAgentHost(log: Log, program: URL = PROGRAM): AgentHost {
  const programs = new Map<number, ReturnType<typeof followProgram>>();
  let last = 0;
  let isStopping = false;
  let child: ChildProcess | undefined;

  function open(): ChildProcess {
    // Buffers travel as they are. Nothing of the server's environment is the host's.
    const opened = fork(program, [], {
      serialization: "advanced",
      env: {},
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    opened.on("message", (message: FromHost) => programs.get(message.id)?.hear(message));
    opened.stderr?.on("data", (said: Buffer) =>
      log.error({ said: said.toString("utf8") }, "the agent host complains"),
    );
    const onEnd = (why: object) => {
      if (child !== opened) return;
      child = undefined;
      if (!isStopping) log.error(why, "the agent host has ended: the runs that it had are lost");
      for (const lost of programs.values()) lost.lose();
    };
    opened.once("error", (error) => onEnd({ error: error.message }));
    opened.once("exit", (code, signal) => onEnd({ code, signal }));
    return opened;
  }

  /** Whoever is gone has lost its programs already: nobody waits for an answer. */
  const ask = (message: ToHost) => void child?.send(message, () => {});

  child = open();
  return {
    start(spec, listener) {
      last += 1;
      const id = last;
      const followed = followProgram(id, listener, ask);
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
      await exited;
    },
  };
}
