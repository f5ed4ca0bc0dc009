import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams, useSearchParams } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { webhookQuery, webhookTrafficQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Tagged } from "../../api/tagged.ts";
import { PauseButton } from "../../frame/pause-button.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMay, useMayEdit } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { Toggle } from "../../parts/forms/toggle.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { WEBHOOK_TONES, WEBHOOK_WORDS } from "../../parts/tones.ts";
import { type Once, useAction } from "../../parts/use-action.ts";
import { DeleteWebhook } from "./delete-webhook.tsx";
import { FinishSetup } from "./finish-setup.tsx";
import { Ingress } from "./ingress.tsx";
import { PreviousSecret } from "./previous-secret.tsx";
import { RecentDeliveries } from "./recent-deliveries.tsx";
import { refreshWebhooks } from "./refresh-webhooks.ts";
import { RotateSecret } from "./rotate-secret.tsx";
import { SelectedBy } from "./selected-by.tsx";
import styles from "./webhook.module.css";
import { WebhookActivity } from "./webhook-activity.tsx";

/** One webhook: how to reach it, and what has come. */
export function Webhook() {
  const { factory: name = "", uid = "" } = useParams<{ factory: string; uid: string }>();
  const query = useQuery(webhookQuery(name, uid));
  return (
    <Loaded query={query} title="Webhook">
      {(webhook) => <WebhookPage webhook={webhook} />}
    </Loaded>
  );
}

/** What is open over the page. */
type Opened = "test" | "rotate" | "delete" | "delete-deliveries" | "header";

function WebhookPage({ webhook }: { webhook: Tagged<Models["Webhook"]> }) {
  const { factory: name, status } = webhook;
  const { factory } = useFactory();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const mayOperate = useMay("operator");
  const mayAdminister = useMay("admin");
  const mayEdit = useMayEdit(factory) && status !== "deleted";
  const isFinishing = mayEdit && status === "awaiting_secret";
  return (
    <Page
      title={webhook.name}
      mark={<Chip tone={WEBHOOK_TONES[status]}>{WEBHOOK_WORDS[status]}</Chip>}
      destructive={
        <>
          {mayEdit && (
            <Button kind="danger" onPress={() => setOpened("delete")}>
              Delete
            </Button>
          )}
          {mayAdminister && (
            <Button kind="danger" onPress={() => setOpened("delete-deliveries")}>
              Delete deliveries
            </Button>
          )}
        </>
      }
      actions={
        <>
          {mayEdit && !isFinishing && <Button onPress={() => setOpened("rotate")}>Rotate secret</Button>}
          {status !== "deleted" && (
            <PauseButton what={{ factory: name, webhook: webhook.uid }} name={webhook.name} />
          )}
          {mayOperate && status === "active" && (
            <Button kind="main" onPress={() => setOpened("test")}>
              Send a test delivery
            </Button>
          )}
        </>
      }
    >
      <ReadOnlyNote factory={factory} path={webhook.defined_in.path} />
      {isFinishing && <FinishSetup webhook={webhook} />}
      <Ingress
        webhook={webhook}
        hasInstructions={status !== "deleted" && !isFinishing}
        enabledSwitch={mayEdit && <EnabledSwitch webhook={webhook} />}
        secretHint={factory && secretHint(webhook, factory.mode)}
        headerAction={
          mayEdit && (
            <Button kind="quiet" isSmall onPress={() => setOpened("header")}>
              Change
            </Button>
          )
        }
      />
      <PreviousSecret webhook={webhook} mayEnd={mayEdit} />
      {status !== "deleted" && <WebhookActivity webhook={webhook} />}
      <RecentDeliveries factory={name} webhook={webhook} />
      <SelectedBy factory={name} webhook={webhook} />
      {opened === "test" && <TestDelivery webhook={webhook} onClose={close} />}
      {opened === "rotate" && <RotateSecret webhook={webhook} onClose={close} />}
      {opened === "delete" && <DeleteWebhook webhook={webhook} onClose={close} />}
      {opened === "delete-deliveries" && <DeleteDeliveries webhook={webhook} onClose={close} />}
      {opened === "header" && <DeliveryIdHeader webhook={webhook} onClose={close} />}
    </Page>
  );
}

/** What has to be known of its secret; nothing where the page itself rotates it. */
function secretHint(
  { has_newer_secret, status }: Models["Webhook"],
  mode: Models["Factory"]["mode"],
): string | undefined {
  if (status === "awaiting_secret") return "It has no value yet: senders get 404 until an admin enters one.";
  if (has_newer_secret) return "It has a newer value, which takes effect with the next revision.";
  if (mode === "repository") return "A new value takes effect with the next commit that is applied.";
  return mode === "folder" ? "A new value takes effect with the next sync." : undefined;
}

interface DeleteDeliveriesProps {
  webhook: Tagged<Models["Webhook"]>;
  onClose: () => void;
}

/** Deletes what a webhook has received, after it was said what goes and what stays. */
export function DeleteDeliveries({ webhook: { factory, uid, name }, onClose }: DeleteDeliveriesProps) {
  const traffic = useQuery({ ...webhookTrafficQuery(factory, uid), staleTime: 0 });
  const remove = async () => {
    const { deleted, kept } = await millrace.deliveries.deleteAll(factory, uid);
    announce(`Deleted ${counted(deleted, "delivery", "deliveries")}.${kept > 0 ? ` ${kept} remain.` : ""}`);
    await queryClient.invalidateQueries({ queryKey: ["deliveries", uid] });
  };
  return (
    <ConfirmDialog
      title={`Delete the deliveries of ${name}?`}
      action="Delete deliveries"
      typed={name}
      isOpen
      onClose={onClose}
      onConfirm={remove}
    >
      <p>
        This deletes{" "}
        {traffic.data ? counted(traffic.data.deliveries, "delivery", "deliveries") : "all deliveries"} with
        their payloads, also the copies in the runs that they started. It cannot be undone.
      </p>
      <p>
        Deliveries whose runs have not ended remain, and so do all runs and the audit log. If a sender repeats
        a deleted delivery, it is still recognized as a duplicate and starts nothing.
      </p>
    </ConfirmDialog>
  );
}

interface DeliveryIdHeaderProps {
  webhook: Tagged<Models["Webhook"]>;
  onClose: () => void;
}

/** Changes in which header a sender puts its own id of an event. */
export function DeliveryIdHeader({ webhook, onClose }: DeliveryIdHeaderProps) {
  const { factory, uid, name, etag, delivery_id_header } = webhook;
  const [header, setHeader] = useState(delivery_id_header ?? "");
  const send = async () => {
    await millrace.webhooks.update(factory, uid, { delivery_id_header: header.trim() || null }, etag);
    await refreshWebhooks(factory);
    announce(`Changed the delivery ID header of ${name}.`);
  };
  return (
    <FormDialog
      title={`Delivery ID header of ${name}`}
      action="Save"
      isComplete
      onSend={send}
      onClose={onClose}
    >
      <Field
        label="Delivery ID header"
        isMono
        autoFocus
        autoComplete="off"
        value={header}
        onChange={setHeader}
        hint="If blank, the provider's own ID is used, else X-Service-Delivery-Id, else a hash of the body."
      />
    </FormDialog>
  );
}

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

interface TestDeliveryProps {
  webhook: Models["Webhook"];
  onClose: () => void;
}

/** A body, unlike every one before: the same body again would be a duplicate, which starts nothing. */
const freshBody = () => JSON.stringify({ test: true, at: new Date().toISOString() }, null, 2);

/** Has the server sign a body in the webhook's own way and post it, as the sender would. */
export function TestDelivery({ webhook, onClose }: TestDeliveryProps) {
  const isSigned = webhook.auth_mode === "signature";
  const [text, setText] = useState(isSigned ? "" : freshBody);
  const [, setSearch] = useSearchParams();
  const [refused, setRefused] = useState<Models["TestDelivery"]>();
  const send = (once: Once) => {
    setRefused(undefined);
    const body = text.trim() === "" ? {} : { text };
    return millrace.webhooks.sendTestDelivery(webhook.factory, webhook.uid, body, once);
  };
  const sent = (delivery: Models["TestDelivery"]) => {
    if (delivery.status !== 202) return setRefused(delivery);
    announce("The test delivery was accepted for evaluation.");
    const { delivery_id } = delivery;
    if (delivery_id !== null) setSearch({ delivery: delivery_id }, { replace: true });
    onClose();
  };
  return (
    <FormDialog
      title={`Send a test delivery to ${webhook.name}`}
      action="Send"
      isComplete
      onSend={send}
      onSent={sent}
      onClose={onClose}
    >
      <Field
        label="Body"
        rows={8}
        isMono
        value={text}
        onChange={setText}
        hint={`The server signs the body as the sender would, and sends it byte for byte. ${isSigned ? "If blank, the server sends a small body with everything that the scheme requires. " : ""}It counts as a delivery and starts runs of the automations that it matches.`}
      />
      {refused && (
        <p role="alert">
          The webhook returned {refused.status}: <code>{JSON.stringify(refused.answer)}</code>
        </p>
      )}
    </FormDialog>
  );
}
