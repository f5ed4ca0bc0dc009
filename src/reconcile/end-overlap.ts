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
  // A suspended factory takes no file that would end it.
  if (webhook.previous && record.sync.status !== "suspended") throw previousInFile(webhook.path, "ended");
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

/** What the file of a webhook says would be true again with its next commit. */
export function previousInFile(path: string, what: "rotated" | "ended"): MillraceError {
  const subject = what === "rotated" ? "The secret cannot be rotated" : "The overlap cannot be ended here";
  return new MillraceError(
    "operation_not_supported",
    `${subject}, because the file ${path} names a previous secret.`,
    { remedy: "Remove millrace.previousSecretName and millrace.until from the file, and commit it." },
  );
}
