import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { secretsQuery, suggestedSecretNameQuery } from "../../api/queries.ts";
import { mayUse } from "../../editor/use-suggestions.ts";
import { useSettled } from "../../parts/filters/use-settled.ts";
import { Field } from "../../parts/forms/field.tsx";

interface SecretNameFieldProps {
  factory: string;
  webhook: string;
  value: string;
  onChange: (name: string) => void;
}

/** By which name the team keeps the credential: one is suggested, or one that is there is used. */
export function SecretNameField({ factory, webhook, value, onChange }: SecretNameFieldProps) {
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
