import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { useSearchParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { itemsOf } from "../../api/pages.ts";
import { deliveriesQuery } from "../../api/queries.ts";
import { Chip } from "../../parts/chip.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { counted } from "../../parts/counted.ts";
import { DataTable, main, muted, right, wide } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { sizeText } from "../../parts/size-text.ts";
import { Skeleton } from "../../parts/skeleton.tsx";
import { OUTCOME_TONES } from "../../parts/tones.ts";
import { curlLine } from "./authentication.ts";
import { DeliveryDetail } from "./delivery-detail.tsx";
import styles from "./recent-deliveries.module.css";

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
  const query = useInfiniteQuery(deliveriesQuery(factory, webhook.uid));
  const [search, setSearch] = useSearchParams();
  const open = search.get("delivery");
  const toggle = (id: string) => setSearch(open === id ? {} : { delivery: id }, { replace: true });
  const deliveries = itemsOf(query.data);
  return (
    <Section title="Recent deliveries" isFlush>
      {query.error && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={5} />}
      {query.data && deliveries.length === 0 && (
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

interface DeliveryRowProps {
  factory: string;
  delivery: Models["Delivery"];
  isOpen: boolean;
  onToggle: () => void;
}

function DeliveryRow({ factory, delivery, isOpen, onToggle }: DeliveryRowProps) {
  const { delivery_id: id, outcome, size, time, run_ids, redelivery_of } = delivery;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <tr className={styles.row}>
        <td>
          <div className={styles.outcome}>
            <AriaButton
              className={styles.toggle ?? ""}
              aria-expanded={isOpen}
              aria-label={`${isOpen ? "Close" : "Open"} delivery ${id}`}
              onPress={onToggle}
            >
              <Chevron size={16} aria-hidden />
            </AriaButton>
            <Chip tone={OUTCOME_TONES[outcome]}>{outcome}</Chip>
          </div>
        </td>
        <td className={`${main} ${wide}`}>
          <Copyable text={id} what="the delivery ID" />
          {redelivery_of && <span className={styles.runs}>redelivery</span>}
          {run_ids.length > 0 && <span className={styles.runs}>{counted(run_ids.length, "run")}</span>}
        </td>
        <td className={`${wide} ${right} ${muted}`}>{sizeText(size)}</td>
        <td className={`${right} ${muted}`}>
          <RelativeTime at={time} />
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.detail}>
          <td colSpan={COLUMNS.length}>
            <DeliveryDetail factory={factory} delivery={delivery} />
          </td>
        </tr>
      )}
    </>
  );
}

function commandOf(webhook: Models["Webhook"]): { command?: string } {
  const command = curlLine(webhook);
  return command === undefined ? {} : { command };
}
