import { definitionsMoving } from "./refusal.ts";
import type { WebhookTable } from "./webhook-table.ts";

/** The definitions in force, as this server knows them. The store may know better. */
export interface LatestDefinitions {
  /** The table in force now. */
  webhooks(): WebhookTable;
  /** Brings the table to what the store had at the time of the call, or later. */
  catchUp(): Promise<void>;
  /** Whether other servers change what is stored, so that nobody is refused before the store was asked. */
  isShared: boolean;
}

/**
 * Finds something in the table. What is not there is looked up again after one look at the store, where another server may
 * have made it.
 */
export async function findLatest<Found>(
  find: (table: WebhookTable) => Found | undefined,
  { webhooks, catchUp, isShared }: LatestDefinitions,
): Promise<Found | undefined> {
  const found = find(webhooks());
  if (found !== undefined || !isShared) return found;
  await catchUp();
  return find(webhooks());
}

/** Each of them is refused by the store only because a definition has come into force since it began. */
const MAX_ATTEMPTS = 5;

/**
 * Repeats what is matched by a definition until that is the one in force when it is recorded.
 * @param attempt returns nothing when the store refused it because of that
 * @throws Refusal when definitions change faster than that
 */
export async function underLatest<Result>(
  attempt: (isAgain: boolean) => Promise<Result | undefined>,
  { catchUp }: Pick<LatestDefinitions, "catchUp">,
): Promise<Result> {
  for (let made = 0; made < MAX_ATTEMPTS; made += 1) {
    const result = await attempt(made > 0);
    if (result !== undefined) return result;
    await catchUp();
  }
  throw definitionsMoving();
}
