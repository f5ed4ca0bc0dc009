/** The part of a path that names a pull request of GitHub or a merge request of GitLab; its tabs lie below it. */
const PULL_REQUEST_PATH = /^\/(.+?)\/(?:-\/merge_requests|merge_requests|pull)\/(\d{1,15})(?=\/|$)/;

interface PullRequestAddress {
  /** The same for every way to write the address of one pull request. */
  key: string;
  /** Without tabs, queries and fragments. */
  url: string;
  /** Nothing where the address has a form that is not known. */
  name: { repository: string; number: number } | null;
}

/**
 * Reads the address of a pull request, as agents and forges write it: in any case, with or without one of its tabs.
 * @returns nothing for what is no address of the web
 */
export function pullRequestUrl(text: string): PullRequestAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  const match = PULL_REQUEST_PATH.exec(pathname);
  const path = match ? match[0] : pathname.replace(/\/+$/, "");
  const [, repository = "", number = ""] = match ?? [];
  return {
    // A forge that is called by http answers by https, and owners and repositories are the same in any case.
    key: `${host}${path}`.toLowerCase(),
    url: `${protocol}//${host}${path}`,
    name: match ? { repository, number: Number(number) } : null,
  };
}
