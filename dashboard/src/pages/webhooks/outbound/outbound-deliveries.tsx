import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import type { Models } from "../../../api/client.ts";
import { itemsOf } from "../../../api/pages.ts";
import { Choice } from "../../../parts/forms/choice.tsx";
import { Section } from "../../../parts/page.tsx";
import { ProblemNotice } from "../../../parts/problem-notice.tsx";
import { SENDING_WORDS } from "../../../parts/sending/sending-states.ts";
import { DataTable } from "../../../parts/tables/data-table.tsx";
import { EmptyState } from "../../../parts/tables/empty-state.tsx";
import { LoadMore } from "../../../parts/tables/load-more.tsx";
import { Skeleton } from "../../../parts/tables/skeleton.tsx";
import { OutboundDeliveryRow } from "./outbound-delivery-row.tsx";
import { LOOK_EVERY_MS, outboundDeliveriesQuery } from "./outbound-queries.ts";
import { isDeliveryState } from "./outbound-states.ts";
import type { Place } from "./place.ts";

const COLUMNS = [
  { title: "State" },
  { title: "Event" },
  { title: "Response", isWide: true },
  { title: "Attempts", isWide: true, isRight: true },
  { title: "Time", isRight: true },
];

const STATE_CHOICES = [
  { value: "", label: "Any" },
  ...Object.entries(SENDING_WORDS).map(([value, label]) => ({ value, label })),
];

interface OutboundDeliveriesProps {
  place: Place;
  outbound: Models["Outbound"];
}

/** What was sent and what waits. The chosen state stands in the address, to be sent to someone or come back to. */
export function OutboundDeliveries({ place, outbound }: OutboundDeliveriesProps) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get("state");
  const state = isDeliveryState(asked) ? asked : undefined;
  const query = useInfiniteQuery({
    ...outboundDeliveriesQuery(place, outbound.name, state),
    refetchInterval: LOOK_EVERY_MS,
  });
  const [openId, setOpenId] = useState<string>();
  const deliveries = itemsOf(query.data);
  return (
    <Section
      title="Sent and waiting"
      isFlush
      aside={
        <Choice
          label="State"
          isLabelHidden
          value={state ?? ""}
          onChange={(value) => setSearch(value === "" ? {} : { state: value }, { replace: true })}
          options={STATE_CHOICES}
        />
      }
    >
      {query.error && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={4} />}
      {query.data && deliveries.length === 0 && (
        <EmptyState title="No events">
          {state === undefined
            ? "Events that were sent in the last 30 days, or are waiting, are listed here."
            : "No event has this state."}
        </EmptyState>
      )}
      {deliveries.length > 0 && (
        <DataTable label="Sent and waiting events" columns={COLUMNS}>
          {deliveries.map((delivery) => (
            <OutboundDeliveryRow
              key={delivery.id}
              {...{ place, outbound, delivery }}
              columns={COLUMNS.length}
              isOpen={delivery.id === openId}
              onToggle={() => setOpenId(delivery.id === openId ? undefined : delivery.id)}
            />
          ))}
        </DataTable>
      )}
      {deliveries.length > 0 && <LoadMore query={query} />}
    </Section>
  );
}
