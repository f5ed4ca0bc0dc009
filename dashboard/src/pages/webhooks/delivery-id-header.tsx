import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Tagged } from "../../api/tagged.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Actions, Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";

interface DeliveryIdHeaderProps {
  webhook: Tagged<Models["Webhook"]>;
  onClose: () => void;
}

/** Changes in which header a sender puts its own id of an event. */
export function DeliveryIdHeader({ webhook, onClose }: DeliveryIdHeaderProps) {
  const { factory, uid, name, etag, delivery_id_header } = webhook;
  const [header, setHeader] = useState(delivery_id_header ?? "");
  const change = useMutation({
    mutationFn: () =>
      millrace.webhooks.update(factory, uid, { delivery_id_header: header.trim() || null }, etag),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["webhooks", factory] });
      announce(`The delivery ID header of ${name} is changed.`);
      onClose();
    },
  });
  return (
    <Dialog title={`Delivery ID header of ${name}`} isOpen onClose={onClose}>
      <Form onSubmit={() => change.mutate()}>
        <Field
          label="Delivery ID header"
          isMono
          autoFocus
          autoComplete="off"
          value={header}
          onChange={setHeader}
          hint="Left blank, the provider's own ID counts, else X-Service-Delivery-Id, else a hash of the body."
        />
        {change.error && <ProblemNotice error={change.error} />}
        <Actions>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isPending={change.isPending}>
            Save
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
