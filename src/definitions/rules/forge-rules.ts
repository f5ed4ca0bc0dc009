import type { RepositoryReference } from "../definition.ts";
import type { Loaded } from "../load.ts";
import type { Problem } from "../problem.ts";

/** Whether somebody can say where a repository is. */
export type HasForge = (repository: RepositoryReference) => boolean;

/**
 * A warning for the repositories that no forge is known for: what `owner/repo` means is a matter of the server's settings
 * and not of the tree. Nothing is said of those that the factory calls optional.
 */
export function repositoriesWithoutForge({ definition, locate }: Loaded, hasForge: HasForge): Problem[] {
  if (!definition) return [];
  const { path, repositories, repositoriesAreOptional } = definition.factory;
  if (repositoriesAreOptional) return [];
  const missing = repositories.filter((repository) => !hasForge(repository));
  const [first] = missing;
  if (!first) return [];
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : "";
  const message =
    `no forge says where ${first.owner}/${first.name}${more} is, so runs that have to clone it fail: name one under forges: ` +
    "in millrace.yaml, or let runs go without by `millrace: { repositories: optional }`";
  const at = locate(path, ["repositories", repositories.indexOf(first)]);
  return [{ code: "FF_INVALID_REFERENCE", message, path, ...at, severity: "warning" }];
}
