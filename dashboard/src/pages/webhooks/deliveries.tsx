import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { itemsOf } from "../../api/pages.ts";
import { allDeliveriesQuery } from "../../api/queries.ts";
import { useMay } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { DataTable } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { LoadMore } from "../../parts/tables/load-more.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { openLater } from "../../parts/time/later.tsx";
import styles from "./bulk-redeliver.module.css";
import { DeliveryFilterBar } from "./delivery-filter-bar.tsx";
import { deliveryQueryOf } from "./delivery-filters.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import { redeliverDialog } from "./redeliver-later.ts";
import { SearchLag } from "./search-lag.tsx";

const COLUMNS = [
  { title: "Outcome" },
  { title: "Webhook", isWide: true },
  { title: "Delivery ID", isWide: true },
  { title: "Size", isWide: true, isRight: true },
  { title: "Time", isRight: true },
];

/** What all webhooks have received, the newest first. Filters, and which row is open, stand in the address. */
export function Deliveries() {
  const [search, setSearch] = useSearchParams();
  const filters = useMemo(() => deliveryQueryOf(search), [search]);
  const query = useInfiniteQuery(allDeliveriesQuery(filters));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, error } = query;
  const deliveries = itemsOf(data);
  const isSearching = data !== undefined && deliveries.length === 0 && hasNextPage && !error;
  // A page examines a part of the log, and can be empty although more follow.
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) void fetchNextPage();
  }, [isSearching, isFetchingNextPage, fetchNextPage]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayOperate = useMay("operator");
  const open = search.get("delivery");
  const toggle = (id: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (open === id) next.delete("delivery");
        else next.set("delivery", id);
        return next;
      },
      { replace: true },
    );
  return (
    <Page title="Deliveries" lead="What all webhooks have received, newest first.">
      <DeliveryFilterBar />
      <SearchLag query={filters} />
      {error && <ProblemNotice error={error} onRetry={() => void query.refetch()} />}
      <Section title="Deliveries" isFlush>
        {(query.isPending || isSearching) && <Skeleton rows={8} />}
        {data && deliveries.length === 0 && !hasNextPage && <NoDeliveries isFiltered={search.size > 0} />}
        <BulkRedeliver deliveries={deliveries} chosen={chosen} onChoose={setChosen} />
        {deliveries.length > 0 && (
          <DataTable label="Deliveries" columns={COLUMNS}>
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.delivery_id}
                factory={delivery.factory}
                delivery={delivery}
                columns={COLUMNS.length}
                showsWebhook
                choice={
                  mayOperate && canRedeliver(delivery)
                    ? {
                        isChosen: chosen.has(delivery.delivery_id),
                        onChange: (isChosen) => setChosen(changed(chosen, delivery.delivery_id, isChosen)),
                      }
                    : undefined
                }
                isOpen={open === delivery.delivery_id}
                onToggle={() => toggle(delivery.delivery_id)}
              />
            ))}
          </DataTable>
        )}
        {deliveries.length > 0 && <LoadMore query={query} />}
      </Section>
    </Page>
  );
}

function changed(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No deliveries match these filters">Broaden the filters, or clear them.</EmptyState>
    );
  return <EmptyState title="No deliveries yet">Requests to the URLs of webhooks are logged here.</EmptyState>;
}

type Delivery = Models["Delivery"];

/** So many are redelivered together. */
const MOST = 100;

interface BulkRedeliverProps {
  /** What the list shows. */
  deliveries: readonly Delivery[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
}

/** Whether a delivery can be redelivered. */
export function canRedeliver({ outcome }: Delivery): boolean {
  return outcome === "Accepted";
}

/** Redelivers the chosen deliveries of a list, or all that it shows. */
export function BulkRedeliver({ deliveries, chosen, onChoose }: BulkRedeliverProps) {
  const mayOperate = useMay("operator");
  const [opened, setOpened] = useState<readonly Delivery[]>();
  const redeliverable = deliveries.filter(canRedeliver);
  const selected = redeliverable.filter(({ delivery_id }) => chosen.has(delivery_id));
  if (!mayOperate || redeliverable.length === 0) return null;
  const asked = (selected.length > 0 ? selected : redeliverable).slice(0, MOST);
  const what = selected.length > 0 ? "selected" : "shown";
  return (
    <div className={styles.bar}>
      <Button isSmall onPress={() => void openLater(redeliverDialog, () => setOpened(asked))}>
        Redeliver {asked.length} {what}
      </Button>
      {selected.length > 0 && (
        <Button isSmall kind="quiet" onPress={() => onChoose(new Set())}>
          Clear selection
        </Button>
      )}
      <span className={styles.note} role="status">
        {selected.length > MOST &&
          `At most ${counted(MOST, "delivery", "deliveries")} are redelivered together.`}
      </span>
      {opened && (
        <redeliverDialog.Part
          deliveries={opened}
          onClose={() => setOpened(undefined)}
          onDone={() => onChoose(new Set())}
        />
      )}
    </div>
  );
}
