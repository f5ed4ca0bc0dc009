import { useState } from "react";
import { useSearchParams } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { announce } from "../../parts/announcer.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import type { Once } from "../../parts/use-action.ts";

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
