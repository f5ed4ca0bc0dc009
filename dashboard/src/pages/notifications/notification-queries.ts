import { queryOptions } from "@tanstack/react-query";
import { type Models, millrace } from "../../api/client.ts";
import { pagesOf } from "../../api/paged-query.ts";

/** What notifications are listed by. */
export interface NotificationFilters {
  target?: string;
  state?: Models["Notification"]["state"];
  event?: Models["Notification"]["event"];
}

const MAX_TARGETS = 500;
/** No event tells that something was sent. */
export const LOOK_EVERY_MS = 10_000;

export const targetsQuery = queryOptions({
  queryKey: ["notification-targets"],
  queryFn: () => millrace.notifications.targets({ limit: MAX_TARGETS }).toArray(),
  refetchInterval: LOOK_EVERY_MS,
});

export const notificationsQuery = ({ target, state, event }: NotificationFilters) =>
  pagesOf(
    ["notifications", target, state, event],
    (page) =>
      millrace.notifications.list({
        ...(target === undefined ? {} : { target }),
        ...(state === undefined ? {} : { state: [state] }),
        ...(event === undefined ? {} : { event: [event] }),
        ...page,
      }),
    ({ id }) => id,
  );
