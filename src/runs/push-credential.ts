import { errorMessage, MillraceError } from "../error.ts";
import type { Forges, RepositoryName } from "../forge/forge.ts";
import type { GitAccess } from "../git/git-environment.ts";
import type { RunNeeds } from "./needs.ts";
import type { Run } from "./run.ts";
import { isOfEvent } from "./workspace/repository-folders.ts";

/**
 * The token with which a run can push, for a run whose automation grants it: for the repository of its event, or the only
 * one that it has.
 * @throws MillraceError `environment_setup_failed` where no such token can be made
 */
export async function pushCredential(
  { execution: { push, checkout } }: Pick<Run, "execution">,
  { repositories }: Pick<RunNeeds, "repositories">,
  forges: Forges<GitAccess>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!push) return undefined;
  const ofEvent = repositories.find((each) => isOfEvent(each, checkout));
  const [only, another] = repositories;
  const repository = ofEvent ?? (another ? undefined : only);
  if (!repository)
    throw refused(
      `\`push: true\` is for one repository, and this run has ${repositories.length}, none of which its event names. ` +
        "Name one in an environment of the automation",
    );
  const located = forges.locate(repository);
  if ("missing" in located) throw refused(cannotPush(repository, located.missing));
  if (!located.push)
    throw refused(
      cannotPush(
        repository,
        `A token for it alone is made by a GitHub App, and this forge has none: set app: beside ${located.tokenIn}, ` +
          "or grant a secret with a token of your own in place of `push: true`",
      ),
    );
  try {
    return await located.push(signal);
  } catch (error) {
    throw refused(cannotPush(repository, errorMessage(error)));
  }
}

function cannotPush({ owner, name }: RepositoryName, why: string): string {
  return `No token to push to ${owner}/${name} could be made. ${why}`;
}

function refused(message: string): MillraceError {
  return new MillraceError("environment_setup_failed", message.replace(/\.$/, ""));
}
