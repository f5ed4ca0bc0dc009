/** What somebody wants checked: a pull request, or every open one with this commit at its head. */
export type CheckSubject = { pullRequest: number } | { head: string };

/** What a check carries, so that a hook about it tells which pull request it is of. */
export function checkReference(pullRequest: number): string {
  return `pull-request-${pullRequest}`;
}

/** The pull request that a check is of; nothing for a check of somebody else. */
export function pullRequestOf(reference: unknown): number | undefined {
  const number = /^pull-request-([1-9]\d{0,9})$/.exec(String(reference))?.[1];
  return number === undefined ? undefined : Number(number);
}
