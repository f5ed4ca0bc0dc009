/** So many requests are under way at once: others use the server too. */
const AT_A_TIME = 4;

/** Does something with each, a few at a time. Once it is stopped, what is under way ends, and nothing more begins. */
export async function fewAtATime<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const left = items.values();
  // All workers take from one iterator.
  const worker = async () => {
    for (const item of left) {
      await work(item);
      if (isStopped()) return;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}
