import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Asked, explainFailure } from "./explain-failure.ts";
import { type GitAccess, gitEnvironment, installAskpass } from "./git-environment.ts";
import { openGit } from "./open-git.ts";
import { withRemoteLimits } from "./remote-limits.ts";

/**
 * Asks a remote for its branches once, as a fetch begins, and keeps nothing of it.
 * @throws SourceError that holds no credential
 */
export async function tryRemote(
  url: string,
  access: GitAccess,
  { timeLimitMs, ...asked }: Asked & { timeLimitMs: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-remote-"));
  let secret: string | undefined;
  try {
    const askpass = await installAskpass(folder);
    const environment = await gitEnvironment({ url, access, gitDir: join(folder, "none.git"), askpass });
    secret = environment.MILLRACE_GIT_PASSWORD;
    await withRemoteLimits(environment, { timeLimitMs }, (signal) =>
      openGit(folder, environment, { signal }).raw(["ls-remote", "--heads", "--", url]),
    );
  } catch (error) {
    throw explainFailure(url, error, secret, asked);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
