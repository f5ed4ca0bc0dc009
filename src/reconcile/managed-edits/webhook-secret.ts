import type { Webhook } from "../../definitions/definition.ts";
import { FILE_START, type Problem } from "../../definitions/problem.ts";
import { chooseMethod } from "../../definitions/schemes/scheme.ts";
import { schemeOf } from "../../definitions/schemes/schemes.ts";
import { MillraceError } from "../../errors/error.ts";
import { isUrlSafe } from "../../secrets/webhook-secret.ts";

type Signed = Pick<Webhook, "name" | "authMode" | "signatureScheme" | "customScheme"> &
  Partial<Pick<Webhook, "path">>;

/** @throws MillraceError `invalid_request` when whoever asks gives a secret that is the service's to make */
export function refuseGivenSecret({ authMode }: Pick<Webhook, "authMode">, secret: string | undefined): void {
  if (secret === undefined || authMode === "signature") return;
  throw new MillraceError(
    "invalid_request",
    `secret: millrace generates the secrets of ${authMode} webhooks.`,
    {
      remedy: "Omit secret; to use an existing secret, specify its name as secret_name.",
      extra: { field: "secret" },
    },
  );
}

/** @throws MillraceError `invalid_request` for a secret with which every delivery would be refused */
export function refuseUnusable(webhook: Signed, secret: string, whose?: string): void {
  if (webhook.authMode === "url_token" && !isUrlSafe(secret)) {
    const why = `it cannot be used in the URL${whose === undefined ? "" : ` ${whose}`}`;
    throw new MillraceError("invalid_request", `secret: ${why}.`, {
      remedy: "Give that webhook its own secret, or use only letters, digits and - . _ ~.",
      extra: { field: "secret", ...problemsOf(webhook, why) },
    });
  }
  const scheme = webhook.authMode === "signature" ? schemeOf(webhook as Webhook) : undefined;
  const chosen = scheme && chooseMethod(scheme, secret);
  if (!chosen || !("unusable" in chosen)) return;
  const why = chosen.unusable + (whose === undefined ? "" : ` (${whose})`);
  throw new MillraceError("invalid_request", `secret: ${why}.`, {
    remedy: "Copy the signing secret from the provider unchanged.",
    extra: { field: "secret", ...problemsOf(webhook, why) },
  });
}

/** Of a webhook that is there: where it names the secret that does not suit it. */
function problemsOf({ name, path }: Signed, why: string): { problems?: Problem[] } {
  if (path === undefined) return {};
  const message = `the secret cannot be used for the webhook "${name}": ${why}`;
  return { problems: [{ code: "FF_SECRET_UNUSABLE", message, path, ...FILE_START, severity: "error" }] };
}
