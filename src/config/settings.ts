import { availableParallelism } from "node:os";
import { LOG_LEVELS, type LogLevel } from "../log.ts";
import { databaseUrl, withoutPassword } from "./database-url.ts";
import { optional, required } from "./setting.ts";
import {
  absolutePath,
  apiKeyText,
  baseUrl,
  branchName,
  byteSize,
  commandWords,
  duration,
  folderList,
  hookSecretText,
  type ListenAddress,
  listenAddress,
  masterKeyText,
  memoryShare,
  networkList,
  oneOf,
  period,
  positiveInteger,
  processors,
  repositoryFolder,
  text,
  wholeNumber,
} from "./values.ts";

/** Settings of what requests reach: with a key, and without one. */
const accessSettings = {
  publicValidate: required({
    env: "MILLRACE_PUBLIC_VALIDATE",
    inFile: true,
    parse: oneOf(["on", "off"] as const),
    fallback: "off",
    help: "allow validation of definition files over HTTP without an API key: on or off",
  }),
  defaultFactory: optional({
    env: "MILLRACE_DEFAULT_FACTORY",
    inFile: true,
    parse: text,
    help: "factory (name or UID) for runs that an unlimited API key creates without a factory or an agent",
  }),
} as const;

/** What the server logs, and for whom. */
const logSettings = {
  logLevel: required<LogLevel>({
    env: "MILLRACE_LOG_LEVEL",
    flag: "--log-level",
    inFile: true,
    parse: oneOf(LOG_LEVELS),
    fallback: "info",
    help: LOG_LEVELS.join(", "),
  }),
  logFormat: required<"auto" | "json" | "text">({
    env: "MILLRACE_LOG_FORMAT",
    flag: "--log-format",
    inFile: true,
    parse: oneOf(["auto", "json", "text"] as const),
    fallback: "auto",
    help: "format of the log: json, text with each delivery and run, or auto for text on a terminal and json elsewhere",
  }),
};

/** Settings of what the server sends to addresses that definitions and settings name. */
const outboundSettings = {
  outboundAllow: required({
    env: "MILLRACE_OUTBOUND_ALLOW",
    inFile: true,
    parse: networkList,
    fallback: "",
    help: "private addresses or networks that notifications and outbound webhooks may be sent to, separated by commas",
  }),
} as const;

/** What runs execute, how many of them at once, and for how long. */
const runSettings = {
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

/** Several beats have to fit into a lease. */
const MIN_LEASE_MS = 5_000;

function lease(value: string): number {
  const milliseconds = duration(value);
  if (milliseconds >= MIN_LEASE_MS) return milliseconds;
  throw new Error("expected a duration of at least 5s, such as 60s or 5m");
}

/** Which runs the server executes itself, and how long runs wait for workers. */
const workerSettings = {
  workers: required({
    env: "MILLRACE_WORKERS",
    inFile: true,
    parse: oneOf(["local", "none"] as const),
    fallback: "local",
    help: "who executes runs that name no worker: local (this server) or none (any connected worker)",
  }),
  workerMaxWait: required({
    env: "MILLRACE_WORKER_MAX_WAIT",
    inFile: true,
    parse: (value: string) => (value === "0" ? 0 : period(value)),
    fallback: "24h",
    help: "how long a run waits while no worker that it could execute on is connected, before it ends with ERROR (0: no limit)",
  }),
  workerReturnWait: required({
    env: "MILLRACE_WORKER_RETURN_WAIT",
    inFile: true,
    parse: (value: string) => (value === "0" ? 0 : period(value)),
    fallback: "30s",
    help: "how long the next turn of a run waits for the worker that has its workspace, before any other one takes it (0: not at all)",
  }),
  workerLease: required({
    env: "MILLRACE_WORKER_LEASE",
    inFile: true,
    parse: lease,
    fallback: "60s",
    help: "how long a worker that is not heard of keeps its runs, at least 5s; it ends their agents after 70 percent of that",
  }),
} as const;

/** What the server and its runs may take of the disk. */
const diskSettings = {
  workspacesDir: optional({
    env: "MILLRACE_WORKSPACES_DIR",
    inFile: true,
    parse: text,
    help: "folder of the workspaces, for example on a separate volume (default: workspaces in the data folder)",
  }),
  workspaceQuota: required({
    env: "MILLRACE_WORKSPACE_QUOTA",
    inFile: true,
    parse: byteSize,
    fallback: "10GiB",
    help: "maximum size of the workspace of one run (0: no limit)",
  }),
  workspaceFiles: required({
    env: "MILLRACE_WORKSPACE_FILES",
    inFile: true,
    parse: wholeNumber,
    fallback: "1000000",
    help: "maximum number of files and folders in the workspace of one run (0: no limit)",
  }),
  diskTotal: required({
    env: "MILLRACE_DISK_TOTAL",
    inFile: true,
    parse: byteSize,
    fallback: "50GiB",
    help: "total size of workspaces and mirrors above which workspaces of ended runs are removed, oldest first (0: no limit)",
  }),
  setupSnapshots: required({
    env: "MILLRACE_SETUP_SNAPSHOTS",
    inFile: true,
    parse: byteSize,
    fallback: "10GiB",
    help: "total size of the snapshots of workspaces after their setup commands, of which those that were not used for longest are removed (0: none are made)",
  }),
  mirrorLimit: required({
    env: "MILLRACE_MIRROR_LIMIT",
    inFile: true,
    parse: byteSize,
    fallback: "20GiB",
    help: "maximum size of the mirror of one repository (0: no limit)",
  }),
  diskReserve: required({
    env: "MILLRACE_DISK_RESERVE",
    inFile: true,
    parse: byteSize,
    fallback: "128MiB",
    help: "disk space reserved for the store, and minimum free space required to start turns (0: none); at most a tenth of the volume",
  }),
} as const;

/** How agents are kept apart from the server and from each other. */
const sandboxSettings = {
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

/** Every scalar setting, in the order in which `serve --print-config` and docs/reference/settings.md list them. */
export const settings = {
  listen: required<ListenAddress>({
    env: "MILLRACE_LISTEN",
    flag: "--listen",
    inFile: true,
    parse: listenAddress,
    fallback: "127.0.0.1:8787",
    help: "address and port to listen on",
  }),
  proxySocket: optional({
    env: "MILLRACE_PROXY_SOCKET",
    inFile: true,
    parse: absolutePath,
    help: "unix socket to listen on for a proxy on this machine, whose X-Forwarded-For header is trusted",
  }),
  publicMetrics: required({
    env: "MILLRACE_PUBLIC_METRICS",
    inFile: true,
    parse: oneOf(["on", "off"] as const),
    fallback: "off",
    help: "serve /metrics without an API key: on or off",
  }),
  publicUrl: optional({
    env: "MILLRACE_PUBLIC_URL",
    flag: "--public-url",
    inFile: true,
    parse: baseUrl,
    help: "URL at which people and clients reach this server (default: http://<listen>)",
  }),
  webhookUrl: optional({
    env: "MILLRACE_WEBHOOK_URL",
    flag: "--webhook-url",
    inFile: true,
    parse: baseUrl,
    help: "URL at which senders reach the ingress (default: the public URL)",
  }),
  webhookListen: optional<ListenAddress>({
    env: "MILLRACE_WEBHOOK_LISTEN",
    flag: "--webhook-listen",
    inFile: true,
    parse: listenAddress,
    help: "second address, which serves only the ingress",
  }),
  keepAlive: required({
    env: "MILLRACE_KEEP_ALIVE",
    inFile: true,
    parse: duration,
    fallback: "75s",
    help: "how long an idle connection stays open; longer than a proxy in front of the server keeps it",
  }),
  dataDir: required({
    env: "MILLRACE_DATA_DIR",
    flag: "--data-dir",
    inFile: true,
    parse: text,
    fallback: "./.millrace",
    help: "folder for the database, the git mirrors and the workspaces; used by one server at a time",
  }),
  databaseUrl: optional({
    env: "MILLRACE_DATABASE_URL",
    flag: "--database-url",
    inFile: true,
    parse: databaseUrl,
    show: withoutPassword,
    help: "database, as sqlite:PATH or postgres://USER@HOST/DATABASE (default: millrace.db in the data folder)",
  }),
  freshStart: required({
    env: "MILLRACE_FRESH_START",
    flag: "--fresh-start",
    inFile: false,
    parse: oneOf(["on", "off"] as const),
    fallback: "off",
    help: "whether to create a new database in a data folder whose database is missing: on or off",
  }),
  masterKey: optional({
    env: "MILLRACE_MASTER_KEY",
    inFile: false,
    parse: masterKeyText,
    secret: true,
    help: "key that encrypts secrets at rest",
  }),
  masterKeyFile: optional({
    env: "MILLRACE_MASTER_KEY_FILE",
    inFile: true,
    parse: text,
    help: "file that contains the master key (default: master.key in the data folder, created on first use)",
  }),
  adminKey: optional({
    env: "MILLRACE_ADMIN_KEY",
    inFile: false,
    parse: apiKeyText,
    secret: true,
    help: "first admin API key (default: generated at the first start and printed once)",
  }),
  branch: required({
    env: "MILLRACE_BRANCH",
    flag: "--branch",
    inFile: true,
    parse: branchName,
    fallback: "main",
    help: "production branch of a repository source",
  }),
  path: required({
    env: "MILLRACE_PATH",
    flag: "--path",
    inFile: true,
    parse: repositoryFolder,
    fallback: ".",
    help: "folder of the definition inside the repository",
  }),
  pollInterval: required({
    env: "MILLRACE_POLL_INTERVAL",
    flag: "--poll-interval",
    inFile: true,
    parse: duration,
    fallback: "60s",
    help: "how often a repository is checked for new commits",
  }),
  gitToken: optional({
    env: "MILLRACE_GIT_TOKEN",
    inFile: false,
    parse: text,
    secret: true,
    help: "token for git repositories over https",
  }),
  gitTokenFile: optional({
    env: "MILLRACE_GIT_TOKEN_FILE",
    inFile: true,
    parse: text,
    help: "file that contains the git token; read on every fetch, so a new token does not require a restart",
  }),
  hookSecret: optional({
    env: "MILLRACE_HOOK_SECRET",
    inFile: false,
    parse: hookSecretText,
    secret: true,
    help: "secret with which forges sign push hooks (POST /hooks/git/FACTORY)",
  }),
  hookSecretFile: optional({
    env: "MILLRACE_HOOK_SECRET_FILE",
    inFile: true,
    parse: text,
    help: "file that contains the push hook secret; read on every push, so a new secret does not require a restart",
  }),
  gitSshKeyFile: optional({
    env: "MILLRACE_GIT_SSH_KEY_FILE",
    inFile: true,
    parse: text,
    help: "private key file for git repositories over ssh; read on every fetch",
  }),
  gitKnownHostsFile: optional({
    env: "MILLRACE_GIT_KNOWN_HOSTS_FILE",
    inFile: true,
    parse: text,
    help: "known_hosts file for git repositories over ssh",
  }),
  ...runSettings,
  ...workerSettings,
  ...diskSettings,
  ...sandboxSettings,
  ...accessSettings,
  deliveriesPerMinute: required({
    env: "MILLRACE_DELIVERIES_PER_MINUTE",
    inFile: true,
    parse: positiveInteger,
    fallback: "60",
    help: "maximum number of deliveries per minute for each webhook",
  }),
  failedAuthPerMinute: required({
    env: "MILLRACE_FAILED_AUTH_PER_MINUTE",
    inFile: true,
    parse: positiveInteger,
    fallback: "30",
    help: "maximum number of failed authentications per minute and client address, for each webhook and for the API",
  }),
  trustProxy: required({
    env: "MILLRACE_TRUST_PROXY",
    inFile: true,
    parse: networkList,
    fallback: "",
    help: "trusted proxies (addresses or networks), whose X-Forwarded-For header is used, separated by commas",
  }),
  sessionIdleTimeout: required({
    env: "MILLRACE_SESSION_IDLE_TIMEOUT",
    inFile: true,
    parse: duration,
    fallback: "12h",
    help: "idle time after which a dashboard session ends",
  }),
  sessionLifetime: required({
    env: "MILLRACE_SESSION_LIFETIME",
    inFile: true,
    parse: duration,
    fallback: "168h",
    help: "maximum duration of a dashboard session",
  }),
  drainTimeout: required({
    env: "MILLRACE_DRAIN_TIMEOUT",
    inFile: true,
    parse: duration,
    fallback: "15s",
    help: "how long the server waits for running agents when it stops",
  }),
  ...outboundSettings,
  ...logSettings,
} as const;

export type SettingName = keyof typeof settings;
