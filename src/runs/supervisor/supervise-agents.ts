import { setPriority } from "node:os";
import { closeInheritedFiles } from "../../platform/inherited-files.ts";
import { type SupervisedProgram, superviseProgram } from "./supervised-program.ts";
import type { FromSupervisor, ToSupervisor } from "./supervisor-messages.ts";

/** Programs of runs inherit it: where there is not enough of the machine for all, what takes deliveries goes first. */
const NICENESS = 10;

/**
 * The agent host: a process of its own, whose children the programs of runs are. Starting a program copies the tables
 * of the memory of the process that starts it, which takes long where that is much, and looking for secrets in what
 * programs write takes time; the server that takes deliveries does neither for agents. It is told what to do by the
 * server that has started it, and ends with it.
 */
export function superviseAgents(): void {
  closeInheritedFiles();
  setPriority(NICENESS);
  const programs = new Map<number, SupervisedProgram>();

  function send(message: FromSupervisor): void {
    if (message.event === "closed" || message.event === "not_started") programs.delete(message.id);
    // The server may be gone; then this process ends as well.
    process.send?.(message, undefined, {}, () => {});
  }

  process.on("message", (message: ToSupervisor) => {
    if (message.ask === "start") {
      const program = superviseProgram(message.spec, (sent) =>
        send({ ...sent, id: message.id } as FromSupervisor),
      );
      if (program) programs.set(message.id, program);
      return;
    }
    if (message.ask === "alive") send({ event: "alive", id: 0 });
    else programs.get(message.id)?.ask(message);
  });
  // The server has ended without a word: what it has started must not go on alone.
  process.on("disconnect", () => {
    for (const program of programs.values()) program.kill();
    process.exit();
  });
  // A terminal and a service manager send these to all processes; what they mean for runs is the server's to say.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
}
