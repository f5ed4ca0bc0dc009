import { queryOptions } from "@tanstack/react-query";
import { type Models, millrace } from "../../../api/client.ts";
import { pagesOf } from "../../../api/paged-query.ts";
import { queryClient } from "../../../api/query-client.ts";
import type { Place } from "./place.ts";

const MAX_OUTBOUND = 100;
/** No event tells that something was sent. */
export const LOOK_EVERY_MS = 10_000;

export const outboundListQuery = (place: Place) =>
  queryOptions({
    queryKey: ["outbound", place],
    queryFn: () => millrace.outbound.list(place, { limit: MAX_OUTBOUND }).toArray(),
    refetchInterval: LOOK_EVERY_MS,
  });

export const outboundQuery = (place: Place, name: string) =>
  queryOptions({
    queryKey: ["outbound", place, name],
    queryFn: () => millrace.outbound.get(place, name),
    refetchInterval: LOOK_EVERY_MS,
  });

/** What was sent or waits, the newest first. */
export const outboundDeliveriesQuery = (
  place: Place,
  name: string,
  state: Models["OutboundDelivery"]["state"] | undefined,
) =>
  pagesOf(
    ["outbound", place, name, "deliveries", state],
    (page) =>
      millrace.outbound.deliveries(place, name, {
        ...(state === undefined ? {} : { state: [state] }),
        ...page,
      }),
    ({ id }) => id,
  );

/** A body stays as it was made. */
export const outboundBodyQuery = (place: Place, name: string, id: string) =>
  queryOptions({
    queryKey: ["outbound-body", place, name, id],
    queryFn: async () => (await millrace.outbound.delivery(place, name, id)).body,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Loads anew what is shown of outbound webhooks. */
export function refreshOutbound(place: Place): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ["outbound", place] });
}
