import { type Models, millrace } from "../../api/client.ts";
import type { Tagged } from "../../api/tagged.ts";
import { announce } from "../../parts/announcer.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { Toggle } from "../../parts/toggle.tsx";
import { useAction } from "../../parts/use-action.ts";
import { refreshWebhooks } from "./refresh-webhooks.ts";
import styles from "./webhook.module.css";

/** Switches a webhook off and on. */
export function EnabledSwitch({ webhook }: { webhook: Tagged<Models["Webhook"]> }) {
  const { factory, uid, name, enabled, etag } = webhook;
  const change = useAction({
    send: (_, wanted: boolean) => millrace.webhooks.update(factory, uid, { enabled: wanted }, etag),
    onDone: (changed) =>
      announce(changed.enabled ? `${name} accepts deliveries.` : `${name} is disabled: senders get 404.`),
    onSettled: () => refreshWebhooks(factory),
  });
  return (
    <div>
      <Toggle
        label="Enabled"
        isSelected={change.sending ?? enabled}
        onChange={(wanted) => change.run(wanted)}
        isDisabled={change.isPending}
      />
      <p className={styles.hint}>
        {enabled
          ? "If disabled, senders get 404 immediately; automations and history are not affected."
          : "Senders get 404. Deliveries resume when you enable it."}
      </p>
      {change.error && <ProblemNotice error={change.error} />}
    </div>
  );
}
