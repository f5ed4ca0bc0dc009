import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { secretsQuery, suggestedSecretNameQuery } from "../../api/queries.ts";
import { mayUse } from "../../editor/use-suggestions.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { useSettled } from "../../parts/filters/use-settled.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Choice, Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { RadioChoice } from "../../parts/forms/radio-choice.tsx";
import type { Once } from "../../parts/use-action.ts";
import { MODES } from "./authentication.ts";
import { NewCredential } from "./new-credential.tsx";
import { PROVIDERS, type Provider, providerOf } from "./providers.ts";
import { refreshWebhooks } from "./refresh-webhooks.ts";
import { isJson, isWhole, NO_WISHES, newWebhook, type Wishes } from "./wishes.ts";

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

const CHOICES = [
  { value: "", label: "Choose a provider" },
  ...Object.entries(PROVIDERS).map(([value, { label }]) => ({ value, label })),
];

interface ProviderFieldsProps {
  wishes: Wishes;
  onChange: (change: Partial<Wishes>) => void;
}

/** Who signs, and with what. */
function ProviderFields({ wishes, onChange }: ProviderFieldsProps) {
  const { scheme, customScheme, providerSecret } = wishes;
  return (
    <>
      <Choice
        label="Provider scheme"
        value={scheme}
        onChange={(chosen) => onChange({ scheme: chosen })}
        options={CHOICES}
      />
      {scheme === "custom" && (
        <Field
          label="Custom scheme"
          rows={5}
          isMono
          value={customScheme}
          onChange={(text) => onChange({ customScheme: text })}
          hint={`${isJson(customScheme) ? "" : "This is not valid JSON. "}A JSON object with the keys of millrace.scheme in a webhook file.`}
        />
      )}
      {scheme !== "" && (
        <Field
          label="Provider secret"
          type="password"
          isMono
          autoComplete="off"
          value={providerSecret}
          onChange={(secret) => onChange({ providerSecret: secret })}
          hint={blankMeans(providerOf(scheme))}
        />
      )}
    </>
  );
}

function blankMeans({ label, secret }: Provider): string {
  return secret === "made"
    ? "The signing secret. If blank, millrace generates one for you to give to the sender."
    : `The signing secret of ${label}. Leave it blank if ${label} shows it only after it has the URL: you enter it in a second step.`;
}

interface SecretNameFieldProps {
  factory: string;
  webhook: string;
  value: string;
  onChange: (name: string) => void;
}

/** By which name the team keeps the credential: one is suggested, or one that is there is used. */
function SecretNameField({ factory, webhook, value, onChange }: SecretNameFieldProps) {
  const name = useSettled(webhook.trim());
  const suggested = useQuery({
    ...suggestedSecretNameQuery(factory, name),
    enabled: name !== "",
    placeholderData: keepPreviousData,
  });
  const suggestion = name === "" ? "" : (suggested.data ?? "");
  const { data: all = [] } = useQuery(secretsQuery);
  const secrets = all.filter((secret) => mayUse(secret, factory));
  const isThere = secrets.some((secret) => secret.name === value.trim());
  return (
    <Field
      label="Secret name"
      isMono
      autoComplete="off"
      value={value}
      onChange={onChange}
      placeholder={suggestion}
      suggestions={secrets.map((secret) => secret.name)}
      hint={
        isThere
          ? `The webhook uses the existing value of ${value.trim()}, which is not shown.`
          : `If blank, the name is derived from the webhook's name${suggestion === "" ? "" : `: ${suggestion}`}. Enter the name of an existing secret to reuse it.`
      }
    />
  );
}
