import type { Models } from "../../api/client.ts";

type Webhook = Models["Webhook"];

const MODES: Readonly<Record<Webhook["auth_mode"], string>> = {
  token: "Bearer token",
  url_token: "URL token",
  signature: "Provider signature",
};

/** How senders of a webhook prove themselves, in words. */
export function authenticationText({ auth_mode, signature_scheme }: Webhook): string {
  return signature_scheme === null ? MODES[auth_mode] : `${MODES[auth_mode]} (${signature_scheme})`;
}

/** What a sender has to be told, as a command that works once the secret is in the environment; nothing for signatures. */
export function curlLine({ auth_mode, url, secret_name }: Webhook): string | undefined {
  const body = `-d '{"hello":"world"}'`;
  if (auth_mode === "token") return `curl -X POST ${url} -H "Authorization: Bearer $${secret_name}" ${body}`;
  if (auth_mode === "url_token") return `curl -X POST "${url.replace("{token}", `$${secret_name}`)}" ${body}`;
  return undefined;
}
