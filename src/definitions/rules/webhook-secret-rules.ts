import { hasOuterWhiteSpace, webhookSecret } from "../../secrets/webhook-secret.ts";
import type { ServerRule } from "./server-rule.ts";

/** What is set for a webhook is checked then; what was set before it, or is kept outside, is checked here. */
export const webhookSecretsHaveNoOuterWhiteSpace: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks
    .filter(({ secretName }) => hasOuterWhiteSpace(webhookSecret(state.secrets.get(secretName) ?? "")))
    .map(({ path, secretName }) => {
      const place = state.placeOfSecret(secretName);
      const remedy = place
        ? `correct it in ${place}`
        : `set it again with \`millrace secrets set ${secretName}\``;
      const message = `the value of "${secretName}" has leading or trailing white space, which senders do not sign with: ${remedy}`;
      return problem(path, ["secretName"], "FF_INVALID_VALUE", message);
    });

/** Who has only the previous secret is refused, which is nothing to keep a definition out of force for. */
export const previousSecretsExist: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks.flatMap(({ path, previous }) => {
    if (!previous || state.secrets.has(previous.secretName)) return [];
    const message = `there is no secret "${previous.secretName}" that this factory may use, so the webhook accepts only its current secret`;
    return [problem(path, PREVIOUS, "FF_INVALID_REFERENCE", message, "warning")];
  });

export const previousSecretsHaveNoOuterWhiteSpace: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks.flatMap(({ path, previous }) => {
    const value = previous && state.secrets.get(previous.secretName);
    if (!previous || value === undefined || !hasOuterWhiteSpace(webhookSecret(value))) return [];
    const message = `the value of "${previous.secretName}" has leading or trailing white space, which senders do not sign with`;
    return [problem(path, PREVIOUS, "FF_SECRET_UNUSABLE", message, "warning")];
  });

const PREVIOUS = ["millrace", "previousSecretName"];

/** Below this, the token in a URL can be guessed; those that millrace makes have 43 characters. */
const MIN_URL_TOKEN = 16;

export const urlTokensAreHardToGuess: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks.flatMap(({ authMode, path, secretName }) => {
    const token = webhookSecret(state.secrets.get(secretName) ?? "");
    if (authMode !== "url_token" || token === "" || token.length >= MIN_URL_TOKEN) return [];
    const message =
      `this webhook is protected only by the token in its URL, but the value of "${secretName}" has fewer than ` +
      `${MIN_URL_TOKEN} characters: use a random value, for example from \`openssl rand -hex 32\``;
    return [problem(path, ["secretName"], "FF_SECRET_WEAK", message, "warning")];
  });
