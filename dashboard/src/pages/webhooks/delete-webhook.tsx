import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { webhookTrafficQuery } from "../../api/queries.ts";
import type { Tagged } from "../../api/tagged.ts";
import { announce } from "../../parts/announcer.tsx";
import { counted } from "../../parts/counted.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { refreshWebhooks } from "./refresh-webhooks.ts";
import { useSelecting } from "./selected-by.tsx";
import styles from "./webhook.module.css";

interface DeleteWebhookProps {
  webhook: Tagged<Models["Webhook"]>;
  onClose: () => void;
}

/** Deletes a webhook, after it was said in numbers who will feel it. */
export function DeleteWebhook({ webhook, onClose }: DeleteWebhookProps) {
  const { factory, uid, name, etag, secret_name } = webhook;
  const [, navigate] = useLocation();
  const selecting = useSelecting(factory, uid);
  const traffic = useQuery({ ...webhookTrafficQuery(factory, uid), staleTime: 0 });
  const remove = async () => {
    await millrace.webhooks.delete(factory, uid, etag);
    await refreshWebhooks(factory);
    announce(`Deleted webhook ${name}.`);
    navigate(factoryPath(factory, "webhooks"));
  };
  const automations = selecting.data?.map((automation) => automation.name) ?? [];
  return (
    <ConfirmDialog
      title={`Delete webhook ${name}?`}
      action="Delete webhook"
      isOpen
      onClose={onClose}
      onConfirm={remove}
    >
      <ul className={styles.consequences}>
        <li>Senders get 404 immediately{traffic.data && `: ${recentText(traffic.data)}`}.</li>
        <li>{automationsText(automations)}</li>
        {traffic.data && <li>{keptText(traffic.data.deliveries)}</li>}
        <li>
          The secret <code>{secret_name}</code> remains until you delete it under Secrets. A new webhook with
          this name gets the same URL.
        </li>
      </ul>
    </ConfirmDialog>
  );
}

function recentText({ deliveries_7_days: recent }: Models["WebhookTraffic"]): string {
  if (recent === 0) return "they sent no deliveries in the last 7 days";
  return `they sent ${counted(recent, "delivery", "deliveries")} in the last 7 days`;
}

function automationsText(names: readonly string[]): string {
  if (names.length === 0) return "No automation selects it.";
  const verbs = names.length === 1 ? "selects it: it remains" : "select it: they remain";
  return `${counted(names.length, "automation")} ${verbs}, but no longer ${names.length === 1 ? "fires" : "fire"} for it (${names.join(", ")}).`;
}

function keptText(deliveries: number): string {
  if (deliveries === 0) return "Its log is empty.";
  return `Its log retains ${counted(deliveries, "delivery", "deliveries")} until they expire. Runs are retained.`;
}
