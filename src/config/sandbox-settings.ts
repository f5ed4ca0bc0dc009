import { optional, required } from "./setting.ts";
import { commandWords, folderList, oneOf, positiveInteger, text } from "./values.ts";

/** How agents are kept apart from the server and from each other. */
export const sandboxSettings = {
  sandbox: required({
    env: "MILLRACE_SANDBOX",
    inFile: true,
    parse: oneOf(["auto", "bwrap", "container", "none"] as const),
    fallback: "auto",
    help: "how agents are kept apart: auto, bwrap, container or none",
  }),
  sandboxNetwork: required({
    env: "MILLRACE_SANDBOX_NETWORK",
    inFile: true,
    parse: oneOf(["on", "off"] as const),
    fallback: "on",
    help: "whether agents reach the network, and with it the API of this server: on or off",
  }),
  sandboxPaths: required({
    env: "MILLRACE_SANDBOX_PATHS",
    inFile: true,
    parse: folderList,
    fallback: "",
    help: "folders and files that agents under bwrap can read beside the system's, separated by commas",
  }),
  runProcesses: required({
    env: "MILLRACE_RUN_PROCESSES",
    inFile: true,
    parse: positiveInteger,
    fallback: "1000",
    help: "how many processes and threads one run may have",
  }),
  containerCommand: optional({
    env: "MILLRACE_CONTAINER_COMMAND",
    inFile: true,
    parse: commandWords,
    help: "command of the container engine, with what always follows it (default podman, or else docker)",
  }),
  containerOptions: optional({
    env: "MILLRACE_CONTAINER_OPTIONS",
    inFile: true,
    parse: commandWords,
    help: "more options for the engine to run containers with",
  }),
  containerImage: optional({
    env: "MILLRACE_CONTAINER_IMAGE",
    inFile: true,
    parse: text,
    help: "image for runs whose runner names none",
  }),
} as const;
