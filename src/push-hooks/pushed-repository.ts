/** `user@host:path`, the short form of an ssh URL. */
const SCP_LIKE = /^[^/]+?:(?!\/\/)(.+)$/;

/** The path of a repository on its forge, in small letters; nothing for a URL that says none, such as that of a folder. */
export function repositoryIn(url: string): string | undefined {
  const path = pathOf(url)
    ?.replace(/^\/+|\/+$/g, "")
    .replace(/\.git$/, "")
    .toLowerCase();
  // A name alone may be anything: an alias, or what a proxy makes of it.
  return path?.includes("/") ? path : undefined;
}

function pathOf(url: string): string | undefined {
  if (/^(https?|ssh|git):\/\//.test(url) && URL.canParse(url)) return new URL(url).pathname;
  return url.includes("://") || url.startsWith("/") ? undefined : SCP_LIKE.exec(url)?.[1];
}

/**
 * Whether a hook is about another repository than that of a factory. Where one of the two does not say, it is not.
 * @param named `owner/name`, as the hook says it
 * @param known `owner/name`, or longer paths that end so, as a proxy or a group above has them
 */
export function isOtherRepository(
  named: string | undefined,
  known: readonly (string | undefined)[],
): boolean {
  const comparable = known.filter((path) => path !== undefined);
  if (named === undefined || comparable.length === 0) return false;
  const wanted = named.toLowerCase();
  return !comparable.some((path) => `/${path.toLowerCase()}`.endsWith(`/${wanted}`));
}
