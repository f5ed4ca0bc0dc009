/** Waits for a while. Rejects with the signal's reason when it is aborted meanwhile. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Does something when the time is over. A timer of the platform takes less than 25 days; longer is for ever. */
export function after(milliseconds: number, act: () => void): { cancel(): void } {
  const timer = milliseconds <= LONGEST_TIMER_MS ? setTimeout(act, milliseconds) : undefined;
  return { cancel: () => clearTimeout(timer) };
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;
