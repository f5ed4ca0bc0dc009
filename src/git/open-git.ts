import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type SimpleGit, simpleGit } from "simple-git";
import { MillraceError } from "../errors/error.ts";

export interface GitLimits {
  /** Ends the git process that is running. */
  signal?: AbortSignal;
  /** A git process that has said nothing for this long is ended. */
  silenceLimitMs?: number;
}

/** A git process that works says something now and then. */
export const SILENCE_LIMIT_MS = 60_000;

/** Git in a folder, with an environment that is ours alone (see git-environment.ts). */
export function openGit(
  baseDir: string,
  environment: Record<string, string>,
  { signal, silenceLimitMs = SILENCE_LIMIT_MS }: GitLimits = {},
): SimpleGit {
  return simpleGit({
    baseDir,
    // Nobody else can have set these in an environment that was built from nothing.
    unsafe: {
      allowUnsafeAskPass: true,
      allowUnsafeSshCommand: true,
      allowUnsafeConfigEnvCount: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeTemplateDir: true,
      allowUnsafeHooksPath: true,
    },
    allowEnvironment: Object.keys(environment).filter((name) => name.startsWith("GIT_")),
    timeout: { block: silenceLimitMs },
    trimmed: true,
    ...(signal ? { abort: signal } : {}),
  }).env(environment);
}

export interface OutputOptions extends GitLimits {
  /** Git's own, which names the repository. */
  environment: Record<string, string>;
  /** What git reads from its standard input. */
  input?: string | Buffer;
  /** Asked with each piece of the output; when it is enough, git is ended. */
  isEnough?: (piece: Buffer) => boolean;
  /** Whether nothing of it is kept: what is asked with each piece is all that is wanted. */
  isOnlyLookedAt?: boolean;
}

/**
 * Runs a git command that only reads a repository at hand, and whose output is bytes or may be too long to be taken.
 * @returns what it printed, as far as it was taken
 * @throws Error with what git said, when it fails or is silent for too long
 */
export function gitOutput(args: readonly string[], options: OutputOptions): Promise<Buffer> {
  const { environment, input = "", isEnough, isOnlyLookedAt, signal } = options;
  const { silenceLimitMs = SILENCE_LIMIT_MS } = options;
  return new Promise((resolve, reject) => {
    const process = spawn("git", args, { env: environment, stdio: ["pipe", "pipe", "pipe"], signal });
    const chunks: Buffer[] = [];
    let complaint = "";
    let end: { taken: Buffer } | { error: Error } | undefined;
    const finish = (how: NonNullable<typeof end>) => {
      end ??= how;
      process.kill("SIGKILL");
    };
    const silence = setTimeout(
      () => finish({ error: new Error(`git ${args[0]}: block timeout reached`) }),
      silenceLimitMs,
    );
    process.stdout.on("data", (chunk: Buffer) => {
      if (end) return;
      silence.refresh();
      if (!isOnlyLookedAt) chunks.push(chunk);
      if (isEnough?.(chunk)) finish({ taken: Buffer.concat(chunks) });
    });
    process.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(0, 2_000);
    });
    process.on("error", (error) => finish({ error }));
    process.on("close", (code) => {
      clearTimeout(silence);
      const failed = { error: new Error(complaint.trim() || `git ${args[0]} exited with code ${code}`) };
      const how = end ?? (code === 0 ? { taken: Buffer.concat(chunks) } : failed);
      if ("taken" in how) resolve(how.taken);
      else reject(how.error);
    });
    // When git ends early, writing fails with EPIPE; its exit code says why.
    process.stdin.on("error", () => {});
    process.stdin.end(input);
  });
}

/** @throws MillraceError `service_unavailable` when the PATH of this server has no git */
export function requireGit(): void {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  if (folders.some((folder) => isExecutable(join(folder, "git")))) return;
  throw new MillraceError(
    "service_unavailable",
    "git is not installed; millrace requires it to read definitions.",
    {
      remedy: "Install git (https://git-scm.com/downloads), and make sure it is on the server's PATH.",
    },
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
