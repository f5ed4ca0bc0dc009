import { MillraceError } from "../errors/error.ts";
import { credentialContext } from "./active-definition.ts";
import type { Moved } from "./outcome.ts";
import type { Factory } from "./running-factory.ts";
import type { ReconcileDeps } from "./subject.ts";

/**
 * Has a webhook accept its current secret alone. It works while the factory is suspended, too.
 * @returns "moved" when something else has come into force meanwhile, so that nothing was changed
 * @throws MillraceError
 */
export async function endOverlap(
  uid: string,
  { record, active }: Pick<Factory, "record" | "active">,
  { store, sealer, now }: Pick<ReconcileDeps, "store" | "sealer" | "now">,
): Promise<"retaken" | "unchanged" | Moved> {
  const found = active?.webhooks.find((webhook) => webhook.uid === uid);
  if (!found || !active)
    throw new MillraceError("resource_not_found", `The factory has no active webhook with the UID "${uid}".`);
  const { webhook, credential, previous } = found;
  if (credential === undefined || !previous) return "unchanged";
  if (webhook.previous) throw namedInFile(webhook.path);
  const { secretName } = webhook;
  const credentials = [
    { webhookUid: uid, secretName, sealed: sealer.seal(credential, credentialContext(uid)) },
  ];
  return store.retakeCredentials(record.uid, {
    credentials,
    expects: active.generation,
    at: now().toISOString(),
  });
}

function namedInFile(path: string): MillraceError {
  return new MillraceError(
    "operation_not_supported",
    `The previous secret of the webhook is named in ${path}.`,
    {
      remedy: "Remove millrace.previousSecretName and millrace.until from the file, and commit it.",
    },
  );
}
