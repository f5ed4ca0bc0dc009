import { ChevronDown, ChevronRight } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { factoryPath } from "../../frame/use-factory.ts";
import { Chip } from "../../parts/chip.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { counted } from "../../parts/counted.ts";
import { main, muted, right, wide } from "../../parts/data-table.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { sizeText } from "../../parts/size-text.ts";
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
}

/** One delivery in a list, with its details when it is open. */
export function DeliveryRow(props: DeliveryRowProps) {
  const { factory, delivery, isOpen, onToggle, columns, showsWebhook = false } = props;
  const { delivery_id: id, outcome, size, time, run_ids, redelivery_of, reason } = delivery;
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
        {showsWebhook && (
          <td className={wide}>
            <WebhookName delivery={delivery} />
          </td>
        )}
        <td className={`${main} ${wide}`}>
          <Copyable text={id} what="the delivery ID" />
          {redelivery_of && <span className={styles.runs}>redelivery</span>}
          {run_ids.length > 0 && <span className={styles.runs}>{counted(run_ids.length, "run")}</span>}
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
