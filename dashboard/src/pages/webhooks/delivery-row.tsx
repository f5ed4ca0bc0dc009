import { ChevronDown, ChevronRight } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { sizeText } from "../../parts/size-text.ts";
import { main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { Copyable } from "../../parts/text/copyable.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { OUTCOME_TONES } from "../../parts/tones.ts";
import { DeliveryDetail } from "./delivery-detail.tsx";
import styles from "./recent-deliveries.module.css";

interface DeliveryRowProps {
  factory: string;
  delivery: Models["Delivery"];
  isOpen: boolean;
  onToggle: () => void;
  /** How many the table has. */
  columns: number;
  /** Where the list is of several webhooks. */
  showsWebhook?: boolean;
  /** Where several can be chosen. */
  choice?: { isChosen: boolean; onChange: (isChosen: boolean) => void } | undefined;
}

/** One delivery in a list, with its details when it is open. */
export function DeliveryRow(props: DeliveryRowProps) {
  const { factory, delivery, isOpen, onToggle, columns, showsWebhook = false, choice } = props;
  const { delivery_id: id, outcome, size, time, run_ids, redelivery_of, reason, event } = delivery;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <tr className={styles.row}>
        <td>
          <div className={styles.outcome}>
            {choice && (
              <input
                type="checkbox"
                aria-label={`Select delivery ${id}`}
                checked={choice.isChosen}
                onChange={(event) => choice.onChange(event.target.checked)}
              />
            )}
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
        {showsWebhook && (
          <td className={wide}>
            <WebhookName delivery={delivery} />
          </td>
        )}
        <td className={`${main} ${wide}`}>
          <Copyable text={id} what="the delivery ID" />
          {redelivery_of && (
            <span className={styles.runs}>
              redelivered from{" "}
              <Link
                href={`${factoryPath(factory, "webhooks", delivery.webhook_uid)}?delivery=${redelivery_of}`}
              >
                {redelivery_of.slice(0, 8)}
              </Link>
            </span>
          )}
          {event && <span className={styles.runs}>{event}</span>}
          {outcome === "Accepted" && (
            <span className={styles.runs}>
              {run_ids.length > 0 ? counted(run_ids.length, "run") : "started nothing"}
            </span>
          )}
          {reason && <span className={styles.runs}>{reason}</span>}
        </td>
        <td className={`${wide} ${right} ${muted}`}>{sizeText(size)}</td>
        <td className={`${right} ${muted}`}>
          <RelativeTime at={time} />
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.detail}>
          <td colSpan={columns}>
            <DeliveryDetail factory={factory} delivery={delivery} />
          </td>
        </tr>
      )}
    </>
  );
}

function WebhookName({
  delivery: { factory, webhook, webhook_uid, webhook_deleted },
}: Pick<DeliveryRowProps, "delivery">) {
  return (
    <>
      <Link href={factoryPath(factory, "webhooks", webhook_uid)}>{webhook ?? webhook_uid}</Link>
      {webhook_deleted && <span className={styles.runs}>deleted</span>}
      <span className={styles.runs}>{factory}</span>
    </>
  );
}
