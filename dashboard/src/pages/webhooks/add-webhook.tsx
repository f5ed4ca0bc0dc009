import { useState } from "react";
import { useLocation } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { RadioChoice } from "../../parts/forms/radio-choice.tsx";
import type { Once } from "../../parts/use-action.ts";
import { MODES } from "./authentication.ts";
import { NewCredential } from "./new-credential.tsx";
import { ProviderFields } from "./provider-fields.tsx";
import { refreshWebhooks } from "./refresh-webhooks.ts";
import { SecretNameField } from "./secret-name-field.tsx";
import { isWhole, NO_WISHES, newWebhook, type Wishes } from "./wishes.ts";

interface AddWebhookProps {
  factory: string;
  onClose: () => void;
}

/** Adds a webhook to a definition that is kept here, and shows this once what its sender has to be given. */
export function AddWebhook({ factory, onClose }: AddWebhookProps) {
  const [, navigate] = useLocation();
  const [wishes, setWishes] = useState<Wishes>(NO_WISHES);
  const wish = (change: Partial<Wishes>) => setWishes((before) => ({ ...before, ...change }));
  const [added, setAdded] = useState<Models["CreatedWebhook"]>();
  const add = async (once: Once) => {
    const result = await millrace.webhooks.create(factory, newWebhook(wishes), once);
    // Its secret is shown, also when the list cannot be loaded again.
    void refreshWebhooks(factory);
    return result;
  };
  if (added) {
    const { uid, name } = added;
    const goOn = () => navigate(factoryPath(factory, "webhooks", uid));
    return (
      <Dialog title={`Added webhook ${name}`} isOpen onClose={goOn} isDismissable={false}>
        <NewCredential webhook={added} onDone={goOn} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Add webhook"
      action="Add webhook"
      isComplete={isWhole(wishes)}
      onSend={add}
      onSent={setAdded}
      onClose={onClose}
    >
      <Field
        label="Name"
        autoFocus
        autoComplete="off"
        value={wishes.name}
        onChange={(name) => wish({ name })}
        hint="Automations select the webhook by this name. It cannot be changed later."
      />
      <RadioChoice
        label="Authentication"
        value={wishes.mode}
        onChange={(mode: Models["Webhook"]["auth_mode"]) => wish({ mode })}
        options={MODES}
      />
      {wishes.mode === "signature" && <ProviderFields wishes={wishes} onChange={wish} />}
      <SecretNameField
        factory={factory}
        webhook={wishes.name}
        value={wishes.secretName}
        onChange={(secretName) => wish({ secretName })}
      />
      <Field
        label="Delivery ID header"
        isMono
        autoComplete="off"
        value={wishes.header}
        onChange={(header) => wish({ header })}
        hint="Optional. The header that contains the sender's event ID. A delivery with a repeated ID is a duplicate and starts no runs."
      />
    </FormDialog>
  );
}
