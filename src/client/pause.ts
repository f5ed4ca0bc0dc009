/** Waits for a while. Rejects with the signal's reason if it is aborted before. */
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

/** Runs a callback after a time. Timers of the platform take less than 25 days; longer means never. */
export function after(milliseconds: number, act: () => void): { cancel(): void } {
  const timer = milliseconds <= MAX_TIMER_MS ? setTimeout(act, milliseconds) : undefined;
  return { cancel: () => clearTimeout(timer) };
}

const MAX_TIMER_MS = 2 ** 31 - 1;
