import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { itemsOf } from "../../api/pages.ts";
import { deliveriesQuery } from "../../api/queries.ts";
import { TypedFilter } from "../../parts/filters/typed-filter.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { DataTable } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { LoadMore } from "../../parts/tables/load-more.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { curlLine } from "./authentication.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import styles from "./recent-deliveries.module.css";
import { SearchLag } from "./search-lag.tsx";

const COLUMNS = [
  { title: "Outcome" },
  { title: "Delivery ID", isWide: true },
  { title: "Size", isWide: true, isRight: true },
  { title: "Time", isRight: true },
];

/** Why nothing comes. */
const SILENCE = {
  awaiting_secret: "Senders get 404 until the signing secret is set, and nothing is logged.",
  disabled: "While the webhook is disabled, senders get 404 and nothing is logged.",
  deleted: "This webhook was deleted: senders get 404 and nothing is logged.",
} as const;

/** What a webhook has received, the newest first. Which row is open stands in the address. */
export function RecentDeliveries({ factory, webhook }: { factory: string; webhook: Models["Webhook"] }) {
  const [search, setSearch] = useSearchParams();
  const text = search.get("q")?.trim() ?? "";
  const query = useInfiniteQuery(deliveriesQuery(factory, webhook.uid, text));
  const open = search.get("delivery");
  const toggle = (id: string) => change({ delivery: open === id ? "" : id });
  const change = (params: Record<string, string>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(params)) {
          if (value === "") next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  const deliveries = itemsOf(query.data);
  return (
    <Section title="Recent deliveries" isFlush>
      <search aria-label="Deliveries" className={styles.search}>
        <TypedFilter
          label="Search deliveries"
          value={text}
          placeholder="order 4711, or 47*"
          onChange={(q) => change({ q, delivery: "" })}
        />
      </search>
      {text !== "" && <SearchLag query={{ q: text, factory, webhook: webhook.uid }} />}
      {query.error && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={5} />}
      {query.data && deliveries.length === 0 && text !== "" && !query.hasNextPage && (
        <EmptyState title="No deliveries match this search">
          Search for whole words, or for the beginning of a word followed by *.
        </EmptyState>
      )}
      {query.data && deliveries.length === 0 && text === "" && (
        <EmptyState title="No deliveries yet" {...commandOf(webhook)}>
          {webhook.status === "active"
            ? "Requests to the URL are logged here, including those rejected because of their credential, size or invalid JSON."
            : SILENCE[webhook.status]}
        </EmptyState>
      )}
      {deliveries.length > 0 && (
        <DataTable label="Recent deliveries" columns={COLUMNS}>
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.delivery_id}
              factory={factory}
              delivery={delivery}
              columns={COLUMNS.length}
              isOpen={open === delivery.delivery_id}
              onToggle={() => toggle(delivery.delivery_id)}
            />
          ))}
        </DataTable>
      )}
      <LoadMore query={query} />
    </Section>
  );
}

function commandOf(webhook: Models["Webhook"]): { command?: string } {
  const command = curlLine(webhook);
  return command === undefined ? {} : { command };
}
