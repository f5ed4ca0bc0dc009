/** What the address of a pull request or merge request names, on any of the usual hosts; nothing for another address. */
export function pullRequestName(url: string): { repository: string; number: string } | undefined {
  const [, repository, number] =
    /^https?:\/\/[^/]+\/(.+?)\/(?:-\/)?(?:pulls?|merge_requests|pull-requests)\/(\d+)(?:[/?#]|$)/i.exec(
      url,
    ) ?? [];
  return repository === undefined || number === undefined ? undefined : { repository, number };
}
