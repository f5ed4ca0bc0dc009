import { type SimpleGit, simpleGit } from "simple-git";

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
