import type { ChangeReader } from "../outbox/follow-changes.ts";
import { messageFor } from "../outbox/target.ts";
import { type DecideDeps, decide, keyOfSeries, type News } from "./decide.ts";
import type { FollowedChanges, NewNotification, NotificationStore } from "./notification.ts";
import type { Target } from "./target.ts";

export interface ReadDeps extends DecideDeps {
  store: Pick<NotificationStore, "findCauses" | "listSeries">;
  targets(): readonly Target[];
}

const MAX_OPEN_WEBHOOKS = 500;

/** Decides on changes with what is known of the series of failures that go on. */
export async function readChanges(deps: ReadDeps): Promise<ChangeReader<FollowedChanges>> {
  const { store, targets, now } = deps;
  const open = new Set((await store.listSeries()).map(keyOfSeries));
  return {
    async read(after, limit) {
      const webhooks = [...open]
        .filter((key) => key.startsWith("webhook:"))
        .slice(0, MAX_OPEN_WEBHOOKS)
        .map((key) => key.slice("webhook:".length));
      const { causes, upTo } = await store.findCauses(after, webhooks, limit);
      const { news, opened, closed } = await decide(causes, open, deps);
      const at = now().toISOString();
      const messages = news.flatMap((each) => addressed(each, targets(), at));
      const isNews = messages.length > 0 || opened.length > 0 || closed.length > 0;
      return { upTo, isNews, messages, opened, closed };
    },
  };
}

/** One notification for each target that takes it. */
function addressed(
  { cause, factory, factoryUid, runId, content }: News,
  targets: readonly Target[],
  at: string,
): NewNotification[] {
  const { event } = content;
  const of = factory && { ...factory.record, sourceName: factory.sourceName };
  return targets
    .filter((target) => event !== "test" && target.events.includes(event) && target.takes(of ?? null))
    .map((target) => messageFor(target, { cause, factoryUid, runId, event, content, at }));
}
