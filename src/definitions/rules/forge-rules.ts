import { EXPECTED_REPOSITORY, invalidPartOf } from "../../forge/forge.ts";
import type { RepositoryReference } from "../definition.ts";
import type { Loaded } from "../loading/loaded.ts";
import type { Problem } from "../problem.ts";
import { type FileRule, problemAt } from "../tree.ts";
import type { WrittenFactory } from "../written.ts";

/** Who says where repositories are. */
export interface KnownForges {
  has(repository: RepositoryReference): boolean;
  /** Whether its forge makes tokens with which it can be pushed to. */
  canPush(repository: RepositoryReference): boolean;
  /** What lets the factory use more forges of the server; nothing where it may use all of them. */
  howToUseMore?: string;
}

export const repositoryNamesAreValid: FileRule<WrittenFactory> = (factory) =>
  factory.data.repositories.flatMap((repository, index) => {
    const part = invalidPartOf(repository);
    if (part === undefined) return [];
    const message = `${JSON.stringify(repository[part])} is not a valid ${part} of a repository: ${EXPECTED_REPOSITORY}`;
    return [problemAt(factory, ["repositories", index, part], "FF_INVALID_VALUE", message)];
  });

/**
 * A warning for the repositories that no forge is known for: what `owner/repo` means is a matter of the server's settings
 * and not of the tree. Nothing is said of those that the factory calls optional.
 */
export function repositoriesWithoutForge({ definition, locate }: Loaded, forges: KnownForges): Problem[] {
  if (!definition) return [];
  const { path, repositories, repositoriesAreOptional } = definition.factory;
  if (repositoriesAreOptional) return [];
  const missing = repositories.filter((repository) => !forges.has(repository));
  const [first] = missing;
  if (!first) return [];
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : "";
  const { howToUseMore = "add one under forges: in millrace.yaml" } = forges;
  const message =
    `no forge is configured for ${first.owner}/${first.name}${more}, so runs that must clone it fail: ${howToUseMore}, ` +
    "or make it optional with `millrace: { repositories: optional }`";
  const at = locate(path, ["repositories", repositories.indexOf(first)]);
  return [{ code: "FF_INVALID_REFERENCE", message, path, ...at, severity: "warning" }];
}

/**
 * A warning for each automation whose runs are to push, where no repository of the factory is on a forge that makes tokens for
 * that: its runs fail. Nothing is said of those that no forge is known for, which fail for that reason, nor of an automation
 * with an environment, whose repositories come in the place of the factory's.
 */
export function pushesHaveAnApp({ definition, locate }: Loaded, forges: KnownForges): Problem[] {
  if (!definition) return [];
  const known = definition.factory.repositories.filter((repository) => forges.has(repository));
  const [first] = known;
  if (!first || known.some((repository) => forges.canPush(repository))) return [];
  const message =
    `the forge of ${first.owner}/${first.name} has no GitHub App, which creates the token for \`push: true\`, so runs of this ` +
    "automation fail: set app: for the forge in millrace.yaml, or grant a secret with your own token in place of `push: true`";
  return definition.automations
    .filter(({ push, execution }) => push && execution.environmentId === undefined)
    .map(({ path }): Problem => {
      const at = locate(path, ["millrace", "push"]);
      return { code: "FF_INVALID_REFERENCE", message, path, ...at, severity: "warning" };
    });
}
