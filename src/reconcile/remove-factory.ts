import type { RunningFactory } from "./running-factory.ts";

/** Serves a factory no more while something takes it out of the store. When that fails, it is served again. */
export async function removeFactory<Result>(
  factory: RunningFactory,
  takeOut: () => Promise<Result>,
  { running, announce }: { running: RunningFactory[]; announce: () => void },
): Promise<Result> {
  // Before it is gone from the store: what a sender sends meanwhile would belong to nobody.
  running.splice(running.indexOf(factory), 1);
  announce();
  try {
    return await factory.leave(takeOut);
  } catch (error) {
    running.push(factory);
    announce();
    throw error;
  }
}
