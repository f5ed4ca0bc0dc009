import type { RepositoryReference } from "../../../definitions/definition.ts";
import { MillraceError } from "../../../errors/error.ts";
import type { RequestedCheckout } from "../../../git/checkout.ts";
import { isOfRepository } from "../../../git/checkout.ts";
import { isReference } from "../../../git/fetch-reference.ts";
import type { CreateRequest } from "../run-deps.ts";
import { invalidField } from "./agent-config-check.ts";

/**
 * Where a run that is requested is checked out, in the form in which it is recorded.
 * @param repositories those that the run is going to have
 * @throws MillraceError `invalid_request` for what is no ref, and when it is not clear which repository is meant
 */
export function requestedCheckout(
  asked: CreateRequest["body"]["checkout"],
  repositories: readonly RepositoryReference[],
): { requestedCheckout?: RequestedCheckout } {
  if (asked === undefined) return {};
  const { ref, repository } = asked;
  if (!isReference(ref)) {
    throw invalidField(
      "checkout.ref",
      `${JSON.stringify(ref)} cannot be the name of a branch or tag, a commit, or a full name such as refs/pull/7/head`,
    );
  }
  const { owner, name } = repositoryOf(repository, repositories);
  return { requestedCheckout: { repository: `${owner}/${name}`, ref } };
}

function repositoryOf(
  named: string | undefined,
  repositories: readonly RepositoryReference[],
): RepositoryReference {
  const [only, another] = repositories;
  if (!only) {
    throw new MillraceError("invalid_request", "checkout: the run would have no repository to check out.", {
      remedy: "Omit it, or list the repository in factory.yaml or in the environment of the agent.",
      extra: { field: "checkout" },
    });
  }
  if (named === undefined && !another) return only;
  const found = named && repositories.find((each) => isOfRepository(each, { repository: named }));
  if (found) return found;
  const names = repositories.map(({ owner, name }) => `${owner}/${name}`).join(", ");
  const wrong = named === undefined ? "missing" : `${JSON.stringify(named)} is not a repository of the run`;
  throw invalidField("checkout.repository", `${wrong}; expected one of ${names}`);
}
