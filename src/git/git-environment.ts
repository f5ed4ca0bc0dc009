import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { rootCertificates } from "node:tls";
import { staysOnThisMachine } from "../config/loopback.ts";
import { errorMessage } from "../errors/error.ts";
import { newUid } from "../id.ts";
import { proxyVariables } from "../platform/proxies.ts";
import { SourceError } from "./revision.ts";

/**
 * Sees to it that a file that git processes use is in a folder. It comes into its place whole, and only when it is not
 * there yet: a git that asks for another factory may be reading it.
 * @returns its path
 * @throws SourceError when it cannot be written there
 */
async function installFile(folder: string, name: string, content: string, mode: number): Promise<string> {
  const path = join(folder, name);
  if ((await readFile(path, "utf8").catch(() => undefined)) === content) return path;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = `${path}-${newUid()}`;
    await writeFile(draft, content, { mode });
    await chmod(draft, mode);
    await rename(draft, path);
    return path;
  } catch (error) {
    throw new SourceError(
      "GIT_UNREACHABLE",
      `The folder ${folder}, which contains the mirrors of repositories, cannot be written: ${errorMessage(error)}. ` +
        "Give the server's user write access to it, and check that the disk is not full.",
    );
  }
}

type Environment = Record<string, string | undefined>;

/** Where distributions keep the authorities that the machine trusts. */
const SYSTEM_BUNDLES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/**
 * The authorities that git trusts when Node gets more of them by `NODE_EXTRA_CA_CERTS`: git takes one file, which has to
 * have those of the machine too.
 * @returns the path of a file in the folder; nothing when there are no more, or they cannot be read
 */
async function installCaBundle(gitFolder: string, env: Environment): Promise<string | undefined> {
  const extra = env.NODE_EXTRA_CA_CERTS;
  if (!extra) return undefined;
  // Node goes on without a file that it cannot read, and warns of it.
  const own = await readFile(extra, "utf8").catch(() => undefined);
  if (own === undefined) return undefined;
  return installFile(gitFolder, "authorities.pem", `${await readTrusted(env)}\n${own}\n`, 0o600);
}

/** What git would go by alone. */
async function readTrusted({ GIT_SSL_CAINFO, SSL_CERT_FILE }: Environment): Promise<string> {
  for (const path of [GIT_SSL_CAINFO, SSL_CERT_FILE, ...SYSTEM_BUNDLES]) {
    const found = path ? await readFile(path, "utf8").catch(() => undefined) : undefined;
    if (found !== undefined) return found;
  }
  return rootCertificates.join("\n");
}

/** How a private repository is opened, asked anew at each fetch so that a rotated credential needs no restart. */
export interface GitAccess {
  token?: () => Promise<string | undefined>;
  sshKeyFile?: string;
  knownHostsFile?: string;
}

/** Git's own settings where it does not leave this machine. */
export const LOCAL_CONFIG: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  // The log of a clone would name the mirror.
  ["core.logAllRefUpdates", "false"],
  ["gc.auto", "0"],
];

/** The environment of a git process that reads a mirror and writes a clone: no credentials, no network, no settings. */
export function localGitEnvironment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "file",
    // What a repository lacks is not fetched by whatever program its settings name.
    GIT_NO_LAZY_FETCH: "1",
    // Filters, hooks and templates that the machine has set up are not for repositories of strangers.
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TEMPLATE_DIR: "",
    ...configInEnvironment(LOCAL_CONFIG),
  };
}

/** Settings for one git process, given in its environment. */
export function configInEnvironment(config: readonly (readonly [string, string])[]): Record<string, string> {
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(config.length) };
  config.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return environment;
}

/** What a pack says that its objects become when they are put together, git would set aside at once. */
const MAX_ALLOCATION = "2g";

/** The variables that git gets from the server's own environment: how to reach the network, and nothing else. Proxies come beside them. */
const PASSED_ON = ["PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "SSH_AUTH_SOCK"];

/** Hosts look at the token alone; this name is the one that most of them ask for beside it. */
export const GIT_USER = "x-access-token";

/** Answers git's questions from the environment, so that no credential stands in an argument list or on disk. */
const ASKPASS_SCRIPT = `#!/bin/sh
case "$1" in
  Username*) printf '%s\\n' "$MILLRACE_GIT_USERNAME" ;;
  *) printf '%s\\n' "$MILLRACE_GIT_PASSWORD" ;;
esac
`;

// The shell that git starts expands the two variables; nothing is put into the command by us.
const SSH_COMMAND = "ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=20";
const WITH_KEY = ' -o IdentitiesOnly=yes -i "$MILLRACE_SSH_KEY"';
const WITH_KNOWN_HOSTS =
  ' -o GlobalKnownHostsFile=/dev/null -o UserKnownHostsFile="\\"$MILLRACE_KNOWN_HOSTS\\""';

/** Git's own settings, given in the environment. A redirect could carry a credential to a host nobody named. */
const GIT_CONFIG: readonly (readonly [string, string])[] = [
  ["http.followRedirects", "false"],
  ["gc.autoDetach", "false"],
  ["core.quotePath", "false"],
  // Larger files are written down piece by piece: a pack of a few kilobytes can hold some of gigabytes.
  ["core.bigFileThreshold", "16m"],
  // Small packs would be unpacked by a program that tells nothing of its progress to whoever is no terminal.
  ["fetch.unpackLimit", "1"],
  // What was in force can come into force again, also when a forced push has taken it out of the branch: the log of the
  // mirror's tip keeps it from being collected.
  ["core.logAllRefUpdates", "always"],
  ["gc.reflogExpire", "never"],
  ["gc.reflogExpireUnreachable", "never"],
  ["user.name", "millrace"],
  ["user.email", "millrace@localhost"],
];

/**
 * Git refuses a repository of another user unless a file of settings names it, and does not take that from the environment. The only
 * repositories outside of the data folder that these git processes open are those that somebody named.
 */
const SAFE_DIRECTORIES = "[safe]\n\tdirectory = *\n";

/** Sees to it that the askpass helper is in the data folder. @throws SourceError when it cannot be written there */
export function installAskpass(gitFolder: string): Promise<string> {
  return installFile(gitFolder, "askpass", ASKPASS_SCRIPT, 0o700);
}

export interface GitTarget {
  url: string;
  access: GitAccess;
  /** The mirror. Named outright, so that a damaged one is never taken for a part of a repository around it. */
  gitDir: string;
  askpass: string;
}

/**
 * The whole environment of a git process that talks to a remote, built from nothing.
 * @throws SourceError when a token cannot be read, or would go over the network in clear
 */
export async function gitEnvironment({
  url,
  access,
  gitDir,
  askpass,
}: GitTarget): Promise<Record<string, string>> {
  const environment: Record<string, string> = {
    LC_ALL: "C",
    GIT_DIR: gitDir,
    GIT_TERMINAL_PROMPT: "0",
    // What stands in for a commit in one repository only is not what was pushed.
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOC_LIMIT: MAX_ALLOCATION,
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
    GIT_ASKPASS: askpass,
    GIT_SSH_COMMAND: sshCommand(access),
    ...configInEnvironment(GIT_CONFIG),
    ...proxyVariables(process.env),
  };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  const authorities = /^https:/.test(url) ? await installCaBundle(dirname(askpass), process.env) : undefined;
  if (authorities !== undefined) environment.GIT_SSL_CAINFO = authorities;
  if (isAbsolute(url) || /^file:/.test(url))
    environment.GIT_CONFIG_GLOBAL = await installFile(
      dirname(askpass),
      "safe-directories",
      SAFE_DIRECTORIES,
      0o600,
    );
  if (access.sshKeyFile) environment.MILLRACE_SSH_KEY = access.sshKeyFile;
  if (access.knownHostsFile) environment.MILLRACE_KNOWN_HOSTS = access.knownHostsFile;

  const token = /^https?:/.test(url) ? await readToken(access) : undefined;
  if (token !== undefined) {
    refuseClearText(url);
    environment.MILLRACE_GIT_USERNAME = GIT_USER;
    environment.MILLRACE_GIT_PASSWORD = token;
  }
  return environment;
}

async function readToken(access: GitAccess): Promise<string | undefined> {
  try {
    return await access.token?.();
  } catch (error) {
    throw new SourceError(
      "GIT_AUTHENTICATION_FAILED",
      `The token for git cannot be read: ${errorMessage(error).replace(/\.$/, "")}. ` +
        "Check the path in credentials: or MILLRACE_GIT_TOKEN_FILE, and that the server's user can read the file.",
    );
  }
}

function sshCommand(access: GitAccess): string {
  return SSH_COMMAND + (access.sshKeyFile ? WITH_KEY : "") + (access.knownHostsFile ? WITH_KNOWN_HOSTS : "");
}

function refuseClearText(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || staysOnThisMachine(url)) return;
  throw new SourceError("GIT_REFUSED", `A token would be sent to ${hostname} unencrypted: use an https URL.`);
}
