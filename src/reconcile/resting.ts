import { inShell } from "../errors/error.ts";
import { pluralize } from "../pluralize.ts";
import type { FactoryDeletionStore, FactoryRecord, FactoryStore } from "./factory.ts";

/** A factory that is on record, and that no source of this start serves: nobody answers its senders. */
export interface RestingFactory {
  record: FactoryRecord;
  /** How many webhooks of it answer 404. */
  webhooks: number;
  /** How many runs of it wait. */
  waitingRuns: number;
}

interface RestingStore {
  factories: Pick<FactoryStore, "list">;
  factoryDeletions: Pick<FactoryDeletionStore, "findContents">;
}

/** @param isServed by the uid of a factory */
export async function findResting(
  isServed: (uid: string) => boolean,
  { factories, factoryDeletions }: RestingStore,
): Promise<RestingFactory[]> {
  const resting: RestingFactory[] = [];
  for (const record of await factories.list()) {
    if (isServed(record.uid)) continue;
    const { webhooks, waitingRuns } = await factoryDeletions.findContents(record.uid);
    resting.push({ record, webhooks: webhooks.length, waitingRuns });
  }
  return resting;
}

/** What does not happen while a factory rests, a sentence. */
export function effectOfRest({ webhooks, waitingRuns }: Omit<RestingFactory, "record">): string {
  const answer = webhooks === 1 ? "answers" : "answer";
  const wait = waitingRuns === 1 ? "waits" : "wait";
  return `${pluralize(webhooks, "webhook")} ${answer} 404, and ${pluralize(waitingRuns, "run")} ${wait}.`;
}

/** What to do about a factory that rests, a sentence. */
export function remedyOfRest({
  name,
  source,
}: {
  name: string;
  source: { url?: string; path: string };
}): string {
  return `Specify the source ${source.url ?? source.path} again to load the factory, or run \`millrace factories delete ${inShell(name)}\` to delete it.`;
}
