import type { Models } from "../../api/models.ts";

/** What someone has written into the form for a new webhook. */
export interface Wishes {
  name: string;
  mode: Models["Webhook"]["auth_mode"];
  /** The provider scheme; of a signature only. */
  scheme: string;
  /** Of the scheme custom: JSON. */
  customScheme: string;
  providerSecret: string;
  secretName: string;
  header: string;
}

export const NO_WISHES: Wishes = {
  name: "",
  mode: "token",
  scheme: "",
  customScheme: '{ "header": "X-Signature" }',
  providerSecret: "",
  secretName: "",
  header: "",
};

/** Whether enough is written to ask for it. */
export function isWhole({ name, mode, scheme, customScheme }: Wishes): boolean {
  if (name.trim() === "") return false;
  return mode !== "signature" || (scheme !== "" && (scheme !== "custom" || isJson(customScheme)));
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What the API is asked for: fields that are left blank, or that another choice has hidden, are left out. */
export function newWebhook(wishes: Wishes): Models["NewWebhook"] {
  const { name, mode, scheme, customScheme, providerSecret, secretName, header } = wishes;
  const signed = mode === "signature";
  return {
    name: name.trim(),
    auth_mode: mode,
    ...(signed ? { signature_scheme: scheme } : {}),
    ...(signed && scheme === "custom" ? { custom_scheme: JSON.parse(customScheme) } : {}),
    ...(signed && providerSecret !== "" ? { secret: providerSecret } : {}),
    ...(secretName.trim() === "" ? {} : { secret_name: secretName.trim() }),
    ...(header.trim() === "" ? {} : { delivery_id_header: header.trim() }),
  };
}
