import { errorMessage, MillraceError } from "../../errors/error.ts";
import type { RepositoryName, ServerForges } from "../../forge/forge.ts";
import { isOfRepository } from "../../git/checkout.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { Run } from "../run.ts";
import type { RunNeeds } from "./needs.ts";

/**
 * Why a run gets no token to push although its automation grants one: what a fork brings is executed beside it, and could
 * push whatever it likes.
 */
export function whyNoPush({ execution: { push, checkout } }: Pick<Run, "execution">): string | undefined {
  if (!push || !checkout?.fromFork) return undefined;
  return `this turn has no push token: its event comes from a fork of ${checkout.repository}, whose code is untrusted`;
}

/**
 * The token with which a run can push, for a run whose automation grants it: for the repository of its event, or the only
 * one that it has; and the URL of that.
 * @throws MillraceError `environment_setup_failed` where no such token can be made
 */
export async function pushCredential(
  run: Pick<Run, "execution" | "factoryUid">,
  { repositories }: Pick<RunNeeds, "repositories">,
  forges: ServerForges<GitAccess>,
  signal: AbortSignal,
): Promise<{ token: string; url: string } | undefined> {
  const { push, checkout } = run.execution;
  if (!push || whyNoPush(run) !== undefined) return undefined;
  const ofEvent = repositories.find((each) => isOfRepository(each, checkout));
  const [only, another] = repositories;
  const repository = ofEvent ?? (another ? undefined : only);
  if (!repository)
    throw refused(
      `\`push: true\` applies to one repository, but this run has ${repositories.length}, and its event is not from any of them. ` +
        "Use an environment with one repository for the automation",
    );
  const located = (await forges.of(run.factoryUid)).locate(repository);
  if ("missing" in located) throw refused(cannotPush(repository, located.missing));
  if (!located.push)
    throw refused(
      cannotPush(
        repository,
        `Only a GitHub App can create a token for this repository alone, and this forge has no app: set app: next to ${located.tokenIn}, ` +
          "or grant a secret with your own token instead of `push: true`",
      ),
    );
  try {
    return { token: await located.push(signal), url: located.originUrl ?? located.url };
  } catch (error) {
    throw refused(cannotPush(repository, errorMessage(error)));
  }
}

function cannotPush({ owner, name }: RepositoryName, why: string): string {
  return `A token to push to ${owner}/${name} could not be created. ${why}`;
}

function refused(message: string): MillraceError {
  return new MillraceError("environment_setup_failed", message.replace(/\.$/, ""));
}
