/**
 * Waits for work on one connection that may be carried out in any order. Where some of it fails, the rest is waited for too: what is
 * still under way must not go on in the next transaction.
 * @throws the first failure
 */
export async function allDone<T extends readonly Promise<unknown>[]>(
  work: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const settled = await Promise.allSettled(work);
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }) as { -readonly [P in keyof T]: Awaited<T[P]> };
}
