import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import type { Tagged } from "../../api/tagged.ts";
import { announce } from "../../parts/announcer.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { refreshWebhooks } from "./refresh-webhooks.ts";

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
