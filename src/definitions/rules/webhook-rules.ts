import { hasOuterWhiteSpace, webhookSecret } from "../../secrets/webhook-secret.ts";
import { parseInstant } from "../../time/instant.ts";
import { MAX_WEBHOOKS } from "../definition.ts";
import { checkPattern } from "../filters/filter.ts";
import { FILE_START, type Problem } from "../problem.ts";
import { credentialHeaders, type WrittenScheme } from "../schemes/scheme.ts";
import { SCHEMES } from "../schemes/schemes.ts";
import { type FileRule, problemAt, type TreeRule, type WrittenTree } from "../tree.ts";
import type { WrittenWebhook } from "../written.ts";
import type { ServerRule } from "./server-rule.ts";

/** Headers that carry a credential: an id taken from one of them would be stored and shown. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  // Older or lesser signatures that some of the providers send beside the one that counts.
  "x-hub-signature",
  "sentry-app-signature",
  ...Object.values(SCHEMES).flatMap(credentialHeaders),
]);

export const deliveryIdHeaderIsNoCredential: FileRule<WrittenWebhook> = (webhook) => {
  const header = webhook.data.deliveryIdHeader;
  if (header === undefined || !isCredentialHeader(header, webhook.data.millrace?.scheme)) return [];
  const message = `"${header}" carries a credential: use a header that contains the sender's own event ID`;
  return [problemAt(webhook, ["deliveryIdHeader"], "FF_INVALID_VALUE", message)];
};

export const customSchemesTakeNoCredentialForAnId: FileRule<WrittenWebhook> = (webhook) => {
  const scheme = webhook.data.millrace?.scheme;
  const place = scheme?.deliveryId;
  if (!scheme || !place || !("header" in place) || !isCredentialHeader(place.header, scheme)) return [];
  const message = `"${place.header}" carries a credential: an ID taken from it would be stored and shown`;
  return [problemAt(webhook, ["millrace", "scheme", "deliveryId", "header"], "FF_INVALID_VALUE", message)];
};

/** Without a text between them, what is a header's and what the next part's could be read in two ways. */
export const customSchemesSeparateWhatTheySign: FileRule<WrittenWebhook> = (webhook) => {
  const signed = webhook.data.millrace?.scheme?.signed ?? [];
  return signed.flatMap((part, index) => {
    const next = signed[index + 1];
    const isHeader = typeof part === "object" && "header" in part;
    if (!isHeader || next === undefined || (typeof next === "object" && "text" in next)) return [];
    const message = "a signed header must be followed by a text that marks its end, for example { text: . }";
    return [problemAt(webhook, ["millrace", "scheme", "signed", index], "FF_INVALID_VALUE", message)];
  });
};

/** Whether a request header carries a credential of any scheme, the webhook's own custom one included. */
export function isCredentialHeader(name: string, written?: WrittenScheme): boolean {
  const lowered = name.toLowerCase();
  return CREDENTIAL_HEADERS.has(lowered) || written?.header.toLowerCase() === lowered;
}

/** A timestamp that is not signed proves nothing, and one that is signed has to be found somewhere. */
export const customSchemesSignTheirTimestamp: FileRule<WrittenWebhook> = (webhook) => {
  const scheme = webhook.data.millrace?.scheme;
  if (!scheme) return [];
  const at = ["millrace", "scheme"];
  const problem = (key: string, message: string) =>
    problemAt(
      webhook,
      scheme[key as keyof WrittenScheme] === undefined ? at : [...at, key],
      "FF_INVALID_VALUE",
      message,
    );
  const { timestamp, separator } = scheme;
  const isSigned = scheme.signed?.includes("timestamp") ?? false;
  const inBody = timestamp !== undefined && "body" in timestamp;
  const problems: Problem[] = [];
  if (isSigned && (!timestamp || inBody)) {
    problems.push(
      problem(
        "signed",
        "signed lists the timestamp: specify the header or entry that contains it under timestamp",
      ),
    );
  }
  if (timestamp && !inBody && !isSigned) {
    problems.push(problem("timestamp", "an unsigned timestamp proves nothing: list timestamp under signed"));
  }
  if (timestamp && "entry" in timestamp && separator === undefined) {
    problems.push(
      problem(
        "timestamp",
        "timestamp.entry requires separator, which separates the entries of the signature header",
      ),
    );
  }
  return problems;
};

export const handshakesAreRecognized: FileRule<WrittenWebhook> = (webhook) => {
  const when = webhook.data.millrace?.scheme?.handshake?.when;
  if (when === undefined) return [];
  const from = ["millrace", "scheme", "handshake", "when"];
  return checkPattern(when, (at) => webhook.file.isRounded([...from, ...at])).map(({ at, message }) => {
    const field = at.length > 0 ? `payload field "${at.join(".")}": ` : "payload filter: ";
    return problemAt(webhook, [...from, ...at], "FF_INVALID_FILTER", field + message);
  });
};

/** A local time without one could be meant hours earlier. */
const OFFSET = /(?:[Zz]|[+-]\d\d:\d\d)$/;

export const previousSecretsAreOthersWithAnEnd: FileRule<WrittenWebhook> = (webhook) => {
  const { secretName, millrace: { previousSecretName, until } = {} } = webhook.data;
  const problem = (key: string, message: string) =>
    problemAt(webhook, ["millrace", key], "FF_INVALID_VALUE", message);
  return [
    ...(previousSecretName === secretName
      ? [problem("previousSecretName", `"${secretName}" is already the current secret (secretName)`)]
      : []),
    ...(until !== undefined && !(OFFSET.test(until) && parseInstant(until) !== undefined)
      ? [problem("until", `"${until}" is not a time with an offset: write one such as 2026-12-01T12:00:00Z`)]
      : []),
  ];
};

export const webhooksAreNoMoreThanAllowed: TreeRule = (tree) => {
  const webhooks = presentWebhooks(tree);
  return webhooks.slice(MAX_WEBHOOKS).map((webhook): Problem => {
    const message = `the factory has ${webhooks.length} webhooks; the limit is ${MAX_WEBHOOKS}`;
    return { code: "FF_INVALID_DOCUMENT", message, path: webhook.path, ...FILE_START, severity: "error" };
  });
};

function presentWebhooks(tree: WrittenTree) {
  return tree.present.filter((file) => file.kind === "webhook").sort((a, b) => (a.path < b.path ? -1 : 1));
}

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
