/** What somebody wants checked: a pull request, or every open one with this commit at its head. */
export type CheckSubject = { pullRequest: number } | { head: string };

/** What a check carries, so that a hook about it tells whose it is: a factory and a pull request. */
export function checkReference(factoryUid: string, pullRequest: number): string {
  return `${factoryUid}/${pullRequest}`;
}

/** The pull request that a check of this factory is of; nothing for a check of somebody else. */
export function pullRequestOf(reference: unknown, factoryUid: string): number | undefined {
  const [, uid, number] = /^([A-Za-z0-9]+)\/([1-9]\d{0,9})$/.exec(String(reference)) ?? [];
  return uid === factoryUid ? Number(number) : undefined;
}
