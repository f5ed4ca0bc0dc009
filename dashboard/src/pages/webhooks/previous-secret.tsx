import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { Section } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { exactTime } from "../../parts/time/time-text.ts";
import { refreshWebhooks } from "./refresh-webhooks.ts";
import styles from "./webhook.module.css";

interface PreviousSecretProps {
  webhook: Models["Webhook"];
  /** Whether the overlap can be ended here. */
  mayEnd: boolean;
}

/** The secret that a webhook still accepts after a rotation, and who still uses it; nothing without one. */
export function PreviousSecret({ webhook, mayEnd }: PreviousSecretProps) {
  const { factory, uid, name, previous_secret: previous } = webhook;
  const [isEnding, setIsEnding] = useState(false);
  if (!previous) return null;
  const { until, senders } = previous;
  const end = async () => {
    await millrace.webhooks.endOverlap(factory, uid);
    await refreshWebhooks(factory);
    announce(`${name} accepts only its current secret.`);
  };
  return (
    <Section title="Previous secret">
      <div className={styles.reaching}>
        <p>
          The webhook accepts the previous secret until {exactTime(until)}.{" "}
          {senders.length === 0 ? "No delivery in the log used it." : "These senders used it last:"}
        </p>
        {senders.length > 0 && (
          <ul className={styles.consequences}>
            {senders.map(({ address, user_agent, deliveries, last_delivery_at }) => (
              <li key={`${address} ${user_agent}`}>
                {address ?? "Unknown address"}
                {user_agent !== null && ` (${user_agent})`}: {counted(deliveries, "delivery", "deliveries")},
                the last one <RelativeTime at={last_delivery_at} />
              </li>
            ))}
          </ul>
        )}
        {mayEnd && (
          <div>
            <Button onPress={() => setIsEnding(true)}>End overlap</Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        title={`End the overlap of ${name}?`}
        action="End overlap"
        isOpen={isEnding}
        onClose={() => setIsEnding(false)}
        onConfirm={end}
      >
        <p>
          Senders that use the previous secret get 401 immediately. Other webhooks that share the secret are
          not affected.
        </p>
      </ConfirmDialog>
    </Section>
  );
}
