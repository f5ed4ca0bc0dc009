import { commitRounds } from "../concurrency/commit-rounds.ts";
import type { CommitSignal } from "../concurrency/commit-signal.ts";
import { errorMessage } from "../errors/error.ts";
import { atMostEvery, type Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";

export interface FollowDefinitionsDeps {
  factories: Pick<Factories, "catchUp">;
  commits: Pick<CommitSignal, "next">;
  log: Log;
}

/** Without a word of a commit. What must not be a second late does not wait for it: it is checked when it is recorded. */
const LOOK_EVERY_MS = 1_000;
const FAILURES_LOGGED_MS = 60_000;

/** Takes in what other servers change of the definitions, soon after they have. @returns what ends it */
export function followDefinitions({ factories, commits, log }: FollowDefinitionsDeps): () => Promise<void> {
  const failed = atMostEvery(FAILURES_LOGGED_MS, (error: string) =>
    log.warn({ error }, "cannot look for changes that were made through other servers"),
  );
  const rounds = commitRounds({
    async round() {
      await factories.catchUp();
      return "caught up";
    },
    nextCommit: commits.next,
    lookEveryMs: LOOK_EVERY_MS,
    onError: (error) => failed(errorMessage(error)),
  });
  return rounds.stop;
}
