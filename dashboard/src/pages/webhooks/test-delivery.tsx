import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Actions, Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";

interface TestDeliveryProps {
  webhook: Models["Webhook"];
  isOpen: boolean;
  onClose: () => void;
}

/** A body, unlike every one before: the same body again would be a duplicate, which starts nothing. */
const freshBody = () => JSON.stringify({ test: true, at: new Date().toISOString() }, null, 2);

/** Has the server sign a body in the webhook's own way and post it, as the sender would. */
export function TestDelivery({ webhook, isOpen, onClose }: TestDeliveryProps) {
  const [text, setText] = useState(freshBody);
  const send = useMutation({
    mutationFn: () => millrace.webhooks.sendTestDelivery(webhook.factory, webhook.uid, { text }),
    onSuccess: ({ status }) => {
      if (status !== 202) return;
      announce("The test delivery was accepted for evaluation.");
      close();
    },
  });
  const close = () => {
    send.reset();
    setText(freshBody());
    onClose();
  };
  return (
    <Dialog title={`Send a test delivery to ${webhook.name}`} isOpen={isOpen} onClose={close}>
      <Field
        label="Body"
        rows={8}
        isMono
        value={text}
        onChange={setText}
        hint="Sent byte for byte. It counts as a delivery, and starts what it matches."
      />
      {send.error && <ProblemNotice error={send.error} />}
      {send.data && send.data.status !== 202 && (
        <p role="alert">
          The webhook has answered {send.data.status}: <code>{JSON.stringify(send.data.answer)}</code>
        </p>
      )}
      <Actions>
        <Button onPress={close}>Cancel</Button>
        <Button kind="main" onPress={() => send.mutate()} isPending={send.isPending}>
          Send
        </Button>
      </Actions>
    </Dialog>
  );
}
