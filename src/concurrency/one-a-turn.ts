/**
 * Begins pieces of work, one of them in each turn of the event loop: what others wait for comes in between, however many pieces
 * there are. The first one begins at once.
 */
export function oneATurn(): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  let hasBegun = false;
  function beginNext(): void {
    const work = waiting.shift();
    hasBegun = work !== undefined;
    if (!work) return;
    setImmediate(beginNext);
    work();
  }
  return (work) => {
    waiting.push(work);
    if (!hasBegun) beginNext();
  };
}
