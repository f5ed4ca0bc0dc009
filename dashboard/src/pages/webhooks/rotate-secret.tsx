import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { webhooksQuery } from "../../api/queries.ts";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { Actions, Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { makesSecret } from "./authentication.ts";
import { NewCredential } from "./new-credential.tsx";
import { refreshWebhooks } from "./refresh-webhooks.ts";

interface RotateSecretProps {
  webhook: Models["Webhook"];
  onClose: () => void;
}

/** Gives a webhook another secret: one that is made and shown this once, or the provider's new one. */
export function RotateSecret({ webhook, onClose }: RotateSecretProps) {
  const { factory, uid, name, auth_mode, signature_scheme, secret_name } = webhook;
  const [secret, setSecret] = useState("");
  const { data: webhooks = [] } = useQuery(webhooksQuery(factory));
  const sharing = webhooks.filter((other) => other.uid !== uid && other.secret_name === secret_name);
  const rotate = useMutation({
    mutationFn: () => millrace.webhooks.rotateSecret(factory, uid, secret === "" ? {} : { secret }),
    onSuccess: () => refreshWebhooks(factory),
  });
  if (rotate.data) {
    return (
      <Dialog title={`New secret of ${name}`} isOpen onClose={onClose} isDismissable={false}>
        <NewCredential
          webhook={rotate.data}
          alsoRotated={rotate.data.also_rotated}
          notRotated={rotate.data.not_rotated}
          onDone={onClose}
        />
      </Dialog>
    );
  }
  const isMade = makesSecret(auth_mode, signature_scheme);
  return (
    <Dialog title={`Rotate the secret of ${name}?`} isOpen onClose={onClose}>
      <Form onSubmit={() => rotate.mutate()}>
        <p>
          The old secret stops working immediately, with no overlap: senders get 401 until they use the new
          one. To rotate without downtime, add a second webhook, move the sender to it, and delete this one.
        </p>
        {sharing.length > 0 && (
          <p>
            {counted(sharing.length, "other webhook uses", "other webhooks use")} the same secret{" "}
            <code>{secret_name}</code>, and therefore its new value:{" "}
            {sharing.map((other) => other.name).join(", ")}.
          </p>
        )}
        {auth_mode === "signature" && (
          <Field
            label="Provider secret"
            type="password"
            isMono
            autoFocus
            autoComplete="off"
            value={secret}
            onChange={setSecret}
            hint={
              isMade
                ? "If blank, millrace generates one and shows it once."
                : "The new signing secret that the provider shows."
            }
          />
        )}
        {rotate.error && <ProblemNotice error={rotate.error} />}
        <Actions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="danger"
            type="submit"
            isPending={rotate.isPending}
            isDisabled={!isMade && secret === ""}
          >
            Rotate secret
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
