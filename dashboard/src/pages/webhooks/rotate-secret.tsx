import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { webhooksQuery } from "../../api/queries.ts";
import { counted } from "../../parts/counted.ts";
import { Choice } from "../../parts/forms/choice.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import type { Once } from "../../parts/use-action.ts";
import { makesSecret } from "./authentication.ts";
import { NewCredential } from "./new-credential.tsx";
import { refreshWebhooks } from "./refresh-webhooks.ts";

const OVERLAPS = [
  { value: "", label: "Stops working immediately" },
  { value: "1h", label: "Works for another hour" },
  { value: "24h", label: "Works for another 24 hours" },
  { value: "7d", label: "Works for another 7 days" },
] as const;

interface RotateSecretProps {
  webhook: Models["Webhook"];
  onClose: () => void;
}

/** Gives a webhook another secret: one that is made and shown this once, or the provider's new one. */
export function RotateSecret({ webhook, onClose }: RotateSecretProps) {
  const { factory, uid, name, auth_mode, signature_scheme, secret_name } = webhook;
  const [secret, setSecret] = useState("");
  const [overlap, setOverlap] = useState("");
  const { data: webhooks = [] } = useQuery(webhooksQuery(factory));
  const sharing = webhooks.filter((other) => other.uid !== uid && other.secret_name === secret_name);
  const [rotated, setRotated] = useState<Models["RotatedWebhook"]>();
  const rotate = async (once: Once) => {
    const rotation = { ...(secret === "" ? {} : { secret }), ...(overlap === "" ? {} : { overlap }) };
    const result = await millrace.webhooks.rotateSecret(factory, uid, rotation, once);
    // The new secret is shown, also when the list cannot be loaded again.
    void refreshWebhooks(factory);
    return result;
  };
  if (rotated) {
    return (
      <Dialog title={`New secret of ${name}`} isOpen onClose={onClose} isDismissable={false}>
        <NewCredential
          webhook={rotated}
          alsoRotated={rotated.also_rotated}
          notRotated={rotated.not_rotated}
          onDone={onClose}
        />
      </Dialog>
    );
  }
  const isMade = makesSecret(auth_mode, signature_scheme);
  return (
    <FormDialog
      title={`Rotate the secret of ${name}?`}
      action="Rotate secret"
      kind="danger"
      isComplete={isMade || secret !== ""}
      onSend={rotate}
      onSent={setRotated}
      onClose={onClose}
    >
      <Choice label="Old secret" value={overlap} onChange={setOverlap} options={OVERLAPS} />
      <p>
        {overlap === ""
          ? "Senders get 401 until they use the new secret. If the old secret has leaked, choose this."
          : "Senders can use both secrets for this time. The page of the webhook shows who still uses the old one."}
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
    </FormDialog>
  );
}
