import { MillraceError } from "../errors/error.ts";
import type { Moved } from "./outcome.ts";

/** Each time, another server has got its own change through. */
const MAX_ATTEMPTS = 10;

/**
 * Plans a change of a factory, and plans it again while other servers change the factory between the plan and its
 * transaction.
 * @param reload takes in what they have changed
 * @throws MillraceError `conflict` when that happens too often
 */
export async function planAgain<Result>(
  attempt: () => Promise<Result | Moved>,
  reload: () => Promise<void>,
): Promise<Result> {
  for (let left = MAX_ATTEMPTS; left > 0; left -= 1) {
    const result = await attempt();
    if (result !== "moved") return result;
    await reload();
  }
  const message = `The factory was changed through other servers ${MAX_ATTEMPTS} times in a row, each time before this change could be applied.`;
  throw new MillraceError("conflict", message, { remedy: "Try again." });
}
