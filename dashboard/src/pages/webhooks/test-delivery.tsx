import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Actions, Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";

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
  const send = useMutation({
    mutationFn: () =>
      millrace.webhooks.sendTestDelivery(webhook.factory, webhook.uid, text.trim() === "" ? {} : { text }),
    onSuccess: ({ status, delivery_id }) => {
      if (status !== 202) return;
      announce("The test delivery was accepted for evaluation.");
      if (delivery_id !== null) setSearch({ delivery: delivery_id }, { replace: true });
      onClose();
    },
  });
  return (
    <Dialog title={`Send a test delivery to ${webhook.name}`} isOpen onClose={onClose}>
      <Field
        label="Body"
        rows={8}
        isMono
        value={text}
        onChange={setText}
        hint={`The server signs the body as the sender would, and sends it byte for byte. ${isSigned ? "If blank, the server sends a small body with everything that the scheme requires. " : ""}It counts as a delivery and starts runs of the automations that it matches.`}
      />
      {send.error && <ProblemNotice error={send.error} />}
      {send.data && send.data.status !== 202 && (
        <p role="alert">
          The webhook returned {send.data.status}: <code>{JSON.stringify(send.data.answer)}</code>
        </p>
      )}
      <Actions>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="main" onPress={() => send.mutate()} isPending={send.isPending}>
          Send
        </Button>
      </Actions>
    </Dialog>
  );
}
