import { queryOptions } from "@tanstack/react-query";
import { type Models, millrace } from "../../../api/client.ts";
import { pagesOf } from "../../../api/paged-query.ts";
import { queryClient } from "../../../api/query-client.ts";

const MAX_OUTBOUND = 100;
/** No event tells that something was sent. */
export const LOOK_EVERY_MS = 10_000;

export const outboundListQuery = (factory: string) =>
  queryOptions({
    queryKey: ["outbound", factory],
    queryFn: () => millrace.outbound.list(factory, { limit: MAX_OUTBOUND }).toArray(),
    refetchInterval: LOOK_EVERY_MS,
  });

export const outboundQuery = (factory: string, name: string) =>
  queryOptions({
    queryKey: ["outbound", factory, name],
    queryFn: () => millrace.outbound.get(factory, name),
    refetchInterval: LOOK_EVERY_MS,
  });

/** What was sent or waits, the newest first. */
export const outboundDeliveriesQuery = (
  factory: string,
  name: string,
  state: Models["OutboundDelivery"]["state"] | undefined,
) =>
  pagesOf(
    ["outbound", factory, name, "deliveries", state],
    (page) =>
      millrace.outbound.deliveries(factory, name, {
        ...(state === undefined ? {} : { state: [state] }),
        ...page,
      }),
    ({ id }) => id,
  );

/** A body stays as it was made. */
export const outboundBodyQuery = (factory: string, name: string, id: string) =>
  queryOptions({
    queryKey: ["outbound-body", factory, name, id],
    queryFn: async () => (await millrace.outbound.delivery(factory, name, id)).body,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Loads anew what is shown of the outbound webhooks of a factory. */
export function refreshOutbound(factory: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ["outbound", factory] });
}
