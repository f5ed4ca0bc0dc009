import { optional, required } from "./setting.ts";
import { commandWords, folderList, memoryShare, oneOf, positiveInteger, processors, text } from "./values.ts";

/** How agents are kept apart from the server and from each other. */
export const sandboxSettings = {
  sandbox: required({
    env: "MILLRACE_SANDBOX",
    inFile: true,
    parse: oneOf(["auto", "bwrap", "container", "none", "command"] as const),
    fallback: "auto",
    help: "how agents are isolated: auto, bwrap, container or none; of a worker also command, which executes runs on other machines",
  }),
  sandboxCommand: optional({
    env: "MILLRACE_SANDBOX_COMMAND",
    inFile: true,
    parse: commandWords,
    help: "program with which a worker whose sandbox is command starts runs on other machines, with its options",
  }),
  sandboxNetwork: required({
    env: "MILLRACE_SANDBOX_NETWORK",
    inFile: true,
    parse: oneOf(["on", "off"] as const),
    fallback: "on",
    help: "network access for agents, including the API of this server: on or off",
  }),
  sandboxPaths: required({
    env: "MILLRACE_SANDBOX_PATHS",
    inFile: true,
    parse: folderList,
    fallback: "",
    help: "additional folders and files that agents under bwrap can read, separated by commas",
  }),
  runProcesses: required({
    env: "MILLRACE_RUN_PROCESSES",
    inFile: true,
    parse: positiveInteger,
    fallback: "1000",
    help: "maximum number of processes and threads of one run",
  }),
  runMemory: required({
    env: "MILLRACE_RUN_MEMORY",
    inFile: true,
    parse: memoryShare,
    fallback: "75%",
    help: "maximum memory of one run whose runner has no instanceShape: a share of the memory of the machine or of the service, or a size (0: no limit)",
  }),
  runCpus: required({
    env: "MILLRACE_RUN_CPUS",
    inFile: true,
    parse: processors,
    fallback: "0",
    help: "maximum processor time of one run whose runner has no instanceShape, in processors, for example 1.5 (0: no limit)",
  }),
  containerCommand: optional({
    env: "MILLRACE_CONTAINER_COMMAND",
    inFile: true,
    parse: commandWords,
    help: "command of the container engine, with options that apply to every call (default: podman, or docker if podman is missing)",
  }),
  containerOptions: optional({
    env: "MILLRACE_CONTAINER_OPTIONS",
    inFile: true,
    parse: commandWords,
    help: "additional options for the container engine's run command",
  }),
  containerImage: optional({
    env: "MILLRACE_CONTAINER_IMAGE",
    inFile: true,
    parse: text,
    help: "image for runs whose runner specifies none",
  }),
} as const;
