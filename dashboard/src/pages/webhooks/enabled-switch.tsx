import { useQuery } from "@tanstack/react-query";
import { type Models, millrace } from "../../api/client.ts";
import { webhookTrafficQuery } from "../../api/queries.ts";
import type { Tagged } from "../../api/tagged.ts";
import { announce } from "../../parts/announcer.tsx";
import { counted } from "../../parts/counted.ts";
import { Toggle } from "../../parts/forms/toggle.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { useAction } from "../../parts/use-action.ts";
import { refreshWebhooks } from "./refresh-webhooks.ts";
import styles from "./webhook.module.css";

/** How much that would stop. */
function Stopped({ webhook: { factory, uid } }: { webhook: Models["Webhook"] }) {
  const { data } = useQuery(webhookTrafficQuery(factory, uid));
  if (!data) return null;
  const { deliveries_7_days: count } = data;
  if (count === 0) return "It received no deliveries in the last 7 days.";
  return `It received ${counted(count, "delivery", "deliveries")} in the last 7 days, ${perDay(count)} a day.`;
}

function perDay(count: number): string {
  return count < 7 ? "less than one" : `about ${Math.round(count / 7)}`;
}

/** Switches a webhook off and on. */
export function EnabledSwitch({ webhook }: { webhook: Tagged<Models["Webhook"]> }) {
  const { factory, uid, name, enabled, etag } = webhook;
  const change = useAction({
    // The page is current before the switch takes the next press, which is sent with the new entity tag.
    send: (_, wanted: boolean) =>
      millrace.webhooks
        .update(factory, uid, { enabled: wanted }, etag)
        .finally(() => refreshWebhooks(factory)),
    onDone: (changed) =>
      announce(changed.enabled ? `${name} accepts deliveries.` : `${name} is disabled: senders get 404.`),
  });
  return (
    <div>
      <Toggle
        label="Enabled"
        isSelected={change.sending ?? enabled}
        onChange={(wanted) => change.run(wanted)}
      />
      <p className={styles.hint}>
        {enabled ? (
          <>
            If disabled, senders get 404 immediately; automations and history are not affected.{" "}
            <Stopped webhook={webhook} />
          </>
        ) : (
          "Senders get 404. Deliveries resume when you enable it."
        )}
      </p>
      {change.error && <ProblemNotice error={change.error} />}
    </div>
  );
}
