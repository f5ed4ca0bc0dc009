import { type Models, millrace } from "../../api/client.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { exactTime } from "../../parts/time/time-text.ts";
import { useAction } from "../../parts/use-action.ts";
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
  const end = useAction({
    send: () => millrace.webhooks.endOverlap(factory, uid),
    onDone: async () => {
      await refreshWebhooks(factory);
      announce(`${name} accepts only its current secret.`);
    },
  });
  if (!previous) return null;
  const { until, senders } = previous;
  return (
    <Section title="Previous secret">
      <p>
        The webhook accepts the previous secret until {exactTime(until)}.{" "}
        {senders.length === 0 ? "No sender has used it since the rotation." : "These senders still use it:"}
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
          <Button onPress={() => end.run()} isPending={end.isPending}>
            End overlap
          </Button>
        </div>
      )}
      {end.error && <ProblemNotice error={end.error} />}
    </Section>
  );
}
