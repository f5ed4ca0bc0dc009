import { accessSettings } from "./access-settings.ts";
import { databaseUrl } from "./database-url.ts";
import { diskSettings } from "./disk-settings.ts";
import { logSettings } from "./log-settings.ts";
import { outboundSettings } from "./outbound-settings.ts";
import { runSettings } from "./run-settings.ts";
import { sandboxSettings } from "./sandbox-settings.ts";
import { optional, required } from "./setting.ts";
import {
  absolutePath,
  apiKeyText,
  baseUrl,
  branchName,
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
import { workerSettings } from "./worker-settings.ts";

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
    help: "database, as sqlite:PATH or postgres://USER@HOST/DATABASE (default: millrace.db in the data folder)",
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
