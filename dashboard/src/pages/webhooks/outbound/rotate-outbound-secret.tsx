import { useState } from "react";
import { type Models, millrace } from "../../../api/client.ts";
import { Button } from "../../../parts/button.tsx";
import { Actions, Dialog } from "../../../parts/forms/dialog.tsx";
import { FormDialog } from "../../../parts/forms/form-dialog.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { refreshOutbound } from "./outbound-queries.ts";

interface RotateOutboundSecretProps {
  factory: string;
  outbound: Models["Outbound"];
  onClose: () => void;
}

/** Has another signing secret made, which is shown this once. */
export function RotateOutboundSecret({ factory, outbound, onClose }: RotateOutboundSecretProps) {
  const { name, secret_name } = outbound;
  const [rotated, setRotated] = useState<Models["OutboundSecret"]>();
  if (rotated) {
    return (
      <Dialog title={`New secret of ${name}`} isOpen onClose={onClose} isDismissable={false}>
        <ShownOnce
          what="the signing secret"
          value={rotated.secret}
          note="Give it to the receiver now: it will not be shown again."
        />
        <Actions>
          <Button kind="main" onPress={onClose}>
            Done
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={`Rotate the secret of ${name}?`}
      action="Rotate secret"
      kind="danger"
      isComplete
      onSend={(once) => millrace.outbound.rotateSecret(factory, name, once)}
      onSent={(result) => {
        setRotated(result);
        void refreshOutbound(factory);
      }}
      onClose={onClose}
    >
      <p>
        Requests are signed with the new value of <code>{secret_name}</code> immediately. The receiver rejects
        them until it has this value.
      </p>
    </FormDialog>
  );
}
