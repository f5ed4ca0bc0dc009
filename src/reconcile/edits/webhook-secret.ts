import type { Webhook } from "../../definitions/definition.ts";
import { FILE_START, type Problem } from "../../definitions/problem.ts";
import { chooseMethod } from "../../definitions/scheme-key.ts";
import { schemeOf } from "../../definitions/schemes.ts";
import { MillraceError } from "../../error.ts";
import { isUrlSafe } from "../../secrets/webhook-secret.ts";

type Signed = Pick<Webhook, "name" | "authMode" | "signatureScheme" | "customScheme"> &
  Partial<Pick<Webhook, "path">>;

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
    const why = `it cannot stand in the URL ${whose}`;
    throw new MillraceError("invalid_request", `secret: ${why}.`, {
      remedy: "Give that webhook a secret of its own, or use letters, digits and - . _ ~ only.",
      extra: { field: "secret", ...problemsOf(webhook, why) },
    });
  }
  const scheme = webhook.authMode === "signature" ? schemeOf(webhook as Webhook) : undefined;
  const chosen = scheme && chooseMethod(scheme, secret);
  if (!chosen || !("unusable" in chosen)) return;
  const why = `${chosen.unusable} (${whose})`;
  throw new MillraceError("invalid_request", `secret: ${why}.`, {
    remedy: "Copy the signing secret from the provider as it stands.",
    extra: { field: "secret", ...problemsOf(webhook, why) },
  });
}

/** Of a webhook that is there: where it names the secret that does not suit it. */
function problemsOf({ name, path }: Signed, why: string): { problems?: Problem[] } {
  if (path === undefined) return {};
  const message = `the secret does not suit the webhook "${name}": ${why}`;
  return { problems: [{ code: "FF_SECRET_UNUSABLE", message, path, ...FILE_START, severity: "error" }] };
}
