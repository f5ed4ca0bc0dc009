import { availableParallelism } from "node:os";
import { LOG_LEVELS, type LogLevel } from "../log.ts";
import { accessSettings } from "./access-settings.ts";
import { diskSettings } from "./disk-settings.ts";
import { sandboxSettings } from "./sandbox-settings.ts";
import { optional, required } from "./setting.ts";
import {
  absolutePath,
  apiKeyText,
  baseUrl,
  branchName,
  commandWords,
  duration,
  hookSecretText,
  type ListenAddress,
  listenAddress,
  masterKeyText,
  networkList,
  oneOf,
  positiveInteger,
  repositoryFolder,
  text,
} from "./values.ts";

/** Every scalar setting, in the order in which `serve --print-config` and the README list them. */
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
    help: "unix socket to listen on for a proxy of this machine, whose X-Forwarded-For is believed",
  }),
  publicMetrics: required({
    env: "MILLRACE_PUBLIC_METRICS",
    inFile: true,
    parse: oneOf(["on", "off"] as const),
    fallback: "off",
    help: "whether /metrics is served without a key: on or off",
  }),
  publicUrl: optional({
    env: "MILLRACE_PUBLIC_URL",
    flag: "--public-url",
    inFile: true,
    parse: baseUrl,
    help: "URL under which people and clients reach this server (default http://<listen>)",
  }),
  webhookUrl: optional({
    env: "MILLRACE_WEBHOOK_URL",
    flag: "--webhook-url",
    inFile: true,
    parse: baseUrl,
    help: "URL under which senders reach the ingress (default the public URL)",
  }),
  webhookListen: optional<ListenAddress>({
    env: "MILLRACE_WEBHOOK_LISTEN",
    flag: "--webhook-listen",
    inFile: true,
    parse: listenAddress,
    help: "a second address that serves the ingress and nothing else",
  }),
  dataDir: required({
    env: "MILLRACE_DATA_DIR",
    flag: "--data-dir",
    inFile: true,
    parse: text,
    fallback: "./.millrace",
    help: "folder of the database, the git mirrors and the workspaces; one server at a time",
  }),
  databaseUrl: optional({
    env: "MILLRACE_DATABASE_URL",
    flag: "--database-url",
    inFile: true,
    parse: sqliteUrl,
    help: "sqlite:PATH (default millrace.db in the data folder)",
  }),
  masterKey: optional({
    env: "MILLRACE_MASTER_KEY",
    inFile: false,
    parse: masterKeyText,
    secret: true,
    help: "key that seals secrets at rest",
  }),
  masterKeyFile: optional({
    env: "MILLRACE_MASTER_KEY_FILE",
    inFile: true,
    parse: text,
    help: "file that holds the master key (default master.key in the data folder, made on first use)",
  }),
  adminKey: optional({
    env: "MILLRACE_ADMIN_KEY",
    inFile: false,
    parse: apiKeyText,
    secret: true,
    help: "first admin API key (default: made on first start and printed once)",
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
    help: "how often a repository is asked for a new commit",
  }),
  gitToken: optional({
    env: "MILLRACE_GIT_TOKEN",
    inFile: false,
    parse: text,
    secret: true,
    help: "token for repositories over https",
  }),
  gitTokenFile: optional({
    env: "MILLRACE_GIT_TOKEN_FILE",
    inFile: true,
    parse: text,
    help: "file that holds the token, read at every fetch, so that a new one needs no restart",
  }),
  hookSecret: optional({
    env: "MILLRACE_HOOK_SECRET",
    inFile: false,
    parse: hookSecretText,
    secret: true,
    help: "what git hosts sign their push hooks with (POST /hooks/git/FACTORY)",
  }),
  hookSecretFile: optional({
    env: "MILLRACE_HOOK_SECRET_FILE",
    inFile: true,
    parse: text,
    help: "file that holds it, read at every push, so that a new one needs no restart",
  }),
  gitSshKeyFile: optional({
    env: "MILLRACE_GIT_SSH_KEY_FILE",
    inFile: true,
    parse: text,
    help: "private key for repositories over ssh, read at every fetch",
  }),
  gitKnownHostsFile: optional({
    env: "MILLRACE_GIT_KNOWN_HOSTS_FILE",
    inFile: true,
    parse: text,
    help: "known_hosts file for repositories over ssh",
  }),
  agentCommand: optional({
    env: "MILLRACE_AGENT_COMMAND",
    flag: "--agent-command",
    inFile: true,
    parse: commandWords,
    help: "program that executes runs; quotes keep words together, and nothing else of a shell's language counts",
  }),
  runConcurrency: required({
    env: "MILLRACE_RUN_CONCURRENCY",
    inFile: true,
    parse: positiveInteger,
    fallback: String(availableParallelism()),
    help: "how many runs execute at once (default the number of cores)",
  }),
  runTimeout: required({
    env: "MILLRACE_RUN_TIMEOUT",
    inFile: true,
    parse: duration,
    fallback: "60m",
    help: "how long one turn of a run may take",
  }),
  ...diskSettings,
  ...sandboxSettings,
  ...accessSettings,
  deliveriesPerMinute: required({
    env: "MILLRACE_DELIVERIES_PER_MINUTE",
    inFile: true,
    parse: positiveInteger,
    fallback: "60",
    help: "deliveries that one webhook may receive in a minute",
  }),
  failedAuthPerMinute: required({
    env: "MILLRACE_FAILED_AUTH_PER_MINUTE",
    inFile: true,
    parse: positiveInteger,
    fallback: "30",
    help: "failed authentications per minute of a client address, with each webhook and with the API",
  }),
  trustProxy: required({
    env: "MILLRACE_TRUST_PROXY",
    inFile: true,
    parse: networkList,
    fallback: "",
    help: "addresses or networks of proxies whose X-Forwarded-For is believed, separated by commas",
  }),
  sessionIdleTimeout: required({
    env: "MILLRACE_SESSION_IDLE_TIMEOUT",
    inFile: true,
    parse: duration,
    fallback: "12h",
    help: "how long somebody stays signed in to the dashboard without a request",
  }),
  sessionLifetime: required({
    env: "MILLRACE_SESSION_LIFETIME",
    inFile: true,
    parse: duration,
    fallback: "168h",
    help: "how long somebody stays signed in to the dashboard at most",
  }),
  drainTimeout: required({
    env: "MILLRACE_DRAIN_TIMEOUT",
    inFile: true,
    parse: duration,
    fallback: "15s",
    help: "how long a stopping server waits for running agents",
  }),
  logLevel: required<LogLevel>({
    env: "MILLRACE_LOG_LEVEL",
    flag: "--log-level",
    inFile: true,
    parse: oneOf(LOG_LEVELS),
    fallback: "info",
    help: LOG_LEVELS.join(", "),
  }),
} as const;

export type SettingName = keyof typeof settings;

function sqliteUrl(value: string): string {
  if (/^postgres(ql)?:/.test(value)) throw new Error("expected sqlite:PATH; PostgreSQL is not supported yet");
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  if (path === undefined)
    throw new Error("expected sqlite:PATH, for example sqlite:/var/lib/millrace/millrace.db");
  return path;
}
