import { Choice, Field } from "../../parts/forms/field.tsx";
import { PROVIDERS, type Provider, providerOf } from "./providers.ts";
import { isJson, type Wishes } from "./wishes.ts";

const CHOICES = [
  { value: "", label: "Choose a provider" },
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
