import type { Factories } from "./factories.ts";
import type { RunningFactory } from "./running-factory.ts";

/**
 * The factory with a uid. What people ask for may be a name as well, which a definition chooses: nobody may get what belongs to another
 * factory because its uid is their name.
 */
export function findByUid(
  uid: string | null,
  factories: Pick<Factories, "find">,
): RunningFactory | undefined {
  const found = uid === null ? undefined : factories.find(uid);
  return found?.record.uid === uid ? found : undefined;
}
