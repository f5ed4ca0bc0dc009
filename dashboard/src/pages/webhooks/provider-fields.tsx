import { Choice, Field } from "../../parts/field.tsx";
import { PROVIDERS, type Provider, providerOf } from "./providers.ts";
import { isJson, type Wishes } from "./wishes.ts";

const CHOICES = [
  { value: "", label: "Choose who signs" },
  ...Object.entries(PROVIDERS).map(([value, { label }]) => ({ value, label })),
];

interface ProviderFieldsProps {
  wishes: Wishes;
  onChange: (change: Partial<Wishes>) => void;
}

/** Who signs, and with what. */
export function ProviderFields({ wishes, onChange }: ProviderFieldsProps) {
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
          label="How requests are signed"
          rows={5}
          isMono
          value={customScheme}
          onChange={(text) => onChange({ customScheme: text })}
          hint={`${isJson(customScheme) ? "JSON" : "This is no JSON yet"}, with the keys of millrace.scheme in a webhook file.`}
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
    ? "The signing secret. Left blank, one is made, for you to give to the sender."
    : `The signing secret of ${label}. Left blank where ${label} shows it only after it has the URL: you enter it in a second step.`;
}
