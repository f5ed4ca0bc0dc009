import { availableParallelism } from "node:os";
import { optional, required } from "./setting.ts";
import { commandWords, duration, positiveInteger } from "./values.ts";

/** What runs execute, how many of them at once, and for how long. */
export const runSettings = {
  agentCommand: optional({
    env: "MILLRACE_AGENT_COMMAND",
    flag: "--agent-command",
    inFile: true,
    parse: commandWords,
    help: "command that runs the agent; quoting is supported, shell expansion is not",
  }),
  runConcurrency: required({
    env: "MILLRACE_RUN_CONCURRENCY",
    inFile: true,
    parse: positiveInteger,
    fallback: String(availableParallelism()),
    help: "maximum number of runs that execute at the same time (default: the number of cores)",
  }),
  setupTimeout: required({
    env: "MILLRACE_SETUP_TIMEOUT",
    inFile: true,
    parse: duration,
    fallback: "30m",
    help: "maximum duration of one setup command of a run (at most MILLRACE_RUN_TIMEOUT)",
  }),
  runTimeout: required({
    env: "MILLRACE_RUN_TIMEOUT",
    inFile: true,
    parse: duration,
    fallback: "60m",
    help: "maximum duration of one turn of a run",
  }),
} as const;
