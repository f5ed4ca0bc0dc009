import type { Models } from "../../api/client.ts";
import { SENDING_WORDS } from "../../parts/sending/sending-states.ts";
import type { NotificationFilters } from "./notification-queries.ts";

/** What notifications are about, in words. */
export const EVENT_WORDS: Readonly<Record<Models["Notification"]["event"], string>> = {
  "run.blocked": "Run blocked",
  "run.failed": "Run failed",
  "factory.failed": "Definition not applied",
  "webhook.refusing": "Webhook rejects everything",
  "budget.reached": "Budget used up",
  "provider.limit": "Limit of a model provider",
  test: "Test",
};

/** What an address asks for. What is no filter is left out. */
export function notificationFiltersOf(search: URLSearchParams): NotificationFilters {
  const [target, state, event] = [search.get("target"), search.get("state"), search.get("event")];
  return {
    ...(target ? { target } : {}),
    ...(isWord(state, SENDING_WORDS) ? { state } : {}),
    ...(isWord(event, EVENT_WORDS) ? { event } : {}),
  };
}

function isWord<Word extends string>(
  value: string | null,
  words: Readonly<Record<Word, string>>,
): value is Word {
  return value !== null && Object.hasOwn(words, value);
}
