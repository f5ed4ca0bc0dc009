/** The part of a path that names a pull request of GitHub or a merge request of GitLab; its tabs lie below it. */
const PULL_REQUEST_PATH = /^\/+(.+?)\/+(?:-\/+merge_requests|merge_requests|pulls?)\/+(\d{1,15})(?=\/|$)/;

/** A longer address names nothing that anybody can open. */
const MAX_LENGTH = 2_000;

export interface PullRequestAddress {
  /** The same for the usual ways to write the address of one pull request: in any case, by http, with one of its tabs. */
  key: string;
  /** Without tabs, queries and fragments. */
  url: string;
  /** Null where the address has a form that is not known. */
  name: { repository: string; number: number } | null;
}

/**
 * Reads the address of a pull request, as agents and forges write it.
 * @returns nothing for what is no address of the web
 */
export function pullRequestAddress(text: string): PullRequestAddress | undefined {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  const site = host.replace(/^www\./, "");
  const match = PULL_REQUEST_PATH.exec(pathname);
  if (!match)
    return { key: `${site}${pathname}`.toLowerCase(), url: `${protocol}//${host}${pathname}`, name: null };
  const [path, repository = "", digits = ""] = match;
  const number = Number(digits);
  // Owners and repositories are the same in any case.
  const key = `${site}/${repository}#${number}`.toLowerCase();
  return { key, url: `${protocol}//${host}${path}`, name: { repository, number } };
}
