import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { deliveryQuery } from "../../api/queries.ts";
import { useMay } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Fact, Facts } from "../../parts/facts.tsx";
import { Copyable } from "../../parts/text/copyable.tsx";
import { Payload } from "../../parts/text/payload.tsx";
import { openLater } from "../../parts/time/later.tsx";
import { exactTime } from "../../parts/time/time-text.ts";
import styles from "./delivery-detail.module.css";
import { Explanation } from "./explanation.tsx";
import { redeliverDialog } from "./redeliver-later.ts";

const IDENTITY_SOURCES = {
  configured_header: "the configured header",
  provider: "the provider's own ID",
  service_header: "X-Service-Delivery-Id",
  body_hash: "a hash of the body",
  redelivery: "a redelivery",
} as const;

/** What is known of one delivery: why it ended as it did, what it has started, and of an accepted one its body. */
export function DeliveryDetail({ factory, delivery }: { factory: string; delivery: Models["Delivery"] }) {
  const { delivery_id: id, outcome } = delivery;
  // The runs of a delivery come into being after its row in the list was loaded.
  const { data: latest = delivery } = useQuery(deliveryQuery(factory, id));
  // Of one that started nothing, the question is why.
  const [isExplained, setExplained] = useState(outcome === "Accepted" && delivery.run_ids.length === 0);
  const mayOperate = useMay("operator");
  return (
    <div className={styles.detail}>
      <DeliveryFacts delivery={latest} />
      {outcome === "Accepted" && <Payload factory={factory} deliveryId={id} />}
      <div className={styles.actions}>
        <Button isSmall onPress={() => setExplained(!isExplained)} aria-expanded={isExplained}>
          Explain
        </Button>
        {outcome === "Accepted" && (
          <Link href={factoryPath(factory, "deliveries", id, "test")}>Make a test of this delivery</Link>
        )}
        {mayOperate && outcome === "Accepted" && <Redeliver delivery={latest} />}
      </div>
      {isExplained && <Explanation factory={factory} deliveryId={id} />}
    </div>
  );
}

function DeliveryFacts({ delivery }: { delivery: Models["Delivery"] }) {
  const { identity, reason, duplicate_of, redelivery_of, body_differs, event, proved_by, run_ids, time } =
    delivery;
  // The list that is open may not have it.
  const path = factoryPath(delivery.factory, "webhooks", delivery.webhook_uid);
  return (
    <Facts>
      <Fact name="Delivery ID">
        <Copyable text={delivery.delivery_id} what="the delivery ID" />
      </Fact>
      <Fact name="Webhook">
        <Link href={path}>{delivery.webhook ?? delivery.webhook_uid}</Link>
        {delivery.webhook_deleted && " (deleted)"}
      </Fact>
      <Fact name="Time">{exactTime(time)}</Fact>
      {reason && <Fact name="Reason">{reason}</Fact>}
      {identity && (
        <Fact name={`Identity (from ${IDENTITY_SOURCES[identity.source]})`}>
          <Copyable text={identity.value} what="the identity" />
        </Fact>
      )}
      {event && <Fact name="Event">{event}</Fact>}
      {proved_by && <Fact name="Authenticated with">The {proved_by} secret</Fact>}
      <SenderFacts delivery={delivery} />
      {duplicate_of && (
        <Fact name={body_differs ? "Duplicate (different body) of" : "Duplicate of"}>
          <Link href={`${path}?delivery=${duplicate_of}`}>{duplicate_of}</Link>
        </Fact>
      )}
      {redelivery_of && (
        <Fact name="Redelivery of">
          <Link href={`${path}?delivery=${redelivery_of}`}>{redelivery_of}</Link>
        </Fact>
      )}
      {run_ids.length > 0 && (
        <Fact name="Runs">
          {run_ids.map((runId) => (
            <div key={runId}>
              <Link href={`/runs/${runId}`}>{runId}</Link>
            </div>
          ))}
        </Fact>
      )}
    </Facts>
  );
}

/** Who sent it; nothing of one that was redelivered from here. */
function SenderFacts({ delivery: { sender } }: { delivery: Models["Delivery"] }) {
  if (!sender) return null;
  return (
    <>
      <Fact name="Sender">{sender.address}</Fact>
      {sender.content_type && <Fact name="Content type">{sender.content_type}</Fact>}
      {sender.user_agent && <Fact name="User agent">{sender.user_agent}</Fact>}
      {Object.entries(sender.headers).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </>
  );
}

/** Sends an accepted delivery again, after what that would start was shown. */
function Redeliver({ delivery }: { delivery: Models["Delivery"] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall onPress={() => void openLater(redeliverDialog, () => setOpen(true))}>
        Redeliver
      </Button>
      {isOpen && <redeliverDialog.Part deliveries={[delivery]} onClose={() => setOpen(false)} />}
    </>
  );
}
