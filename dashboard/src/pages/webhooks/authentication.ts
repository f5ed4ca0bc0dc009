import type { Models } from "../../api/models.ts";
import { providerOf } from "./providers.ts";

type Webhook = Models["Webhook"];
type Mode = Webhook["auth_mode"];

/** How senders prove themselves, each with who it is for. */
export const MODES: readonly { value: Mode; label: string; hint: string }[] = [
  {
    value: "token",
    label: "Bearer token",
    hint: "For senders that can set headers. The default.",
  },
  {
    value: "url_token",
    label: "URL token",
    hint: "For senders that accept only a URL. The URL contains the secret.",
  },
  {
    value: "signature",
    label: "Provider signature",
    hint: "For providers that sign each request, and all Standard Webhooks senders.",
  },
];

/** How senders of a webhook prove themselves, in words. */
export function authenticationText({ auth_mode, signature_scheme }: Webhook): string {
  const mode = MODES.find(({ value }) => value === auth_mode)?.label ?? auth_mode;
  return signature_scheme === null ? mode : `${mode}: ${providerOf(signature_scheme).label}`;
}

/** Whether this server can make the secret of a webhook, as it does where no one enters one. */
export function makesSecret(mode: Mode, scheme: string | null): boolean {
  return mode !== "signature" || providerOf(scheme ?? "").secret === "made";
}

/**
 * What a sender has to be told, as a command that works once the secret is in the environment; nothing for signatures.
 */
export function curlLine({ auth_mode, url, secret_name }: Webhook): string | undefined {
  const lines = (...parts: string[]) => [...parts, `-d '{"hello":"world"}'`].join(" \\\n  ");
  if (auth_mode === "token")
    return lines(`curl -X POST ${url}`, `-H "Authorization: Bearer $${secret_name}"`);
  if (auth_mode === "url_token") return lines(`curl -X POST "${url.replace("{token}", `$${secret_name}`)}"`);
  return undefined;
}
