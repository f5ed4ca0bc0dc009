import type { Webhook } from "../../definitions/definition.ts";
import { chooseMethod } from "../../definitions/scheme-key.ts";
import { schemeOf } from "../../definitions/schemes.ts";
import { MillraceError } from "../../error.ts";
import { isUrlSafe } from "../../secrets/webhook-secret.ts";

type Signed = Pick<Webhook, "name" | "authMode" | "signatureScheme" | "customScheme">;

/** @throws MillraceError `invalid_request` when whoever asks gives a secret that is the service's to make */
export function refuseGivenSecret({ authMode }: Pick<Webhook, "authMode">, secret: string | undefined): void {
  if (secret === undefined || authMode === "signature") return;
  throw new MillraceError("invalid_request", `secret: of a ${authMode} webhook, millrace makes the secret.`, {
    remedy: "Leave secret out; to use a secret that the team has, give its name as secret_name.",
    extra: { field: "secret" },
  });
}

/** @throws MillraceError `invalid_request` for a secret with which every delivery would be refused */
export function refuseUnusable(webhook: Signed, secret: string, whose = "its scheme"): void {
  if (webhook.authMode === "url_token" && !isUrlSafe(secret)) {
    throw new MillraceError("invalid_request", `secret: it cannot stand in the URL ${whose}.`, {
      remedy: "Give that webhook a secret of its own, or use letters, digits and - . _ ~ only.",
      extra: { field: "secret" },
    });
  }
  const scheme = webhook.authMode === "signature" ? schemeOf(webhook as Webhook) : undefined;
  const chosen = scheme && chooseMethod(scheme, secret);
  if (!chosen || !("unusable" in chosen)) return;
  throw new MillraceError("invalid_request", `secret: ${chosen.unusable} (${whose}).`, {
    remedy: "Copy the signing secret from the provider as it stands.",
    extra: { field: "secret" },
  });
}
