import { MillraceError } from "../error.ts";
import { isUid } from "../id.ts";
import { credentialContext, type ServedDefinition } from "./served.ts";
import type { ReconcileParts } from "./subject.ts";

interface Adopter {
  /** The factory. */
  uid: string;
  served: ServedDefinition | undefined;
}

/**
 * Gives a webhook the uid that it had in a store that is lost. A credential is sealed for the uid of its webhook, so it is
 * sealed anew.
 * @throws MillraceError
 */
export async function adoptUid(
  uid: string,
  formerUid: string,
  { uid: factoryUid, served }: Adopter,
  { store, sealer, now }: Pick<ReconcileParts, "store" | "sealer" | "now">,
): Promise<void> {
  const found = served?.webhooks.find((webhook) => webhook.uid === uid);
  if (!found)
    throw new MillraceError(
      "resource_not_found",
      `The factory has no webhook with the uid "${uid}" in force.`,
    );
  if (!isUid(formerUid)) {
    throw new MillraceError("invalid_request", `uid: "${formerUid.slice(0, 40)}" is no uid of a webhook.`, {
      remedy: "Give the 22 letters and digits at the end of the URL that its senders have.",
      extra: { field: "uid" },
    });
  }
  if (formerUid === uid) return;
  const { webhook, credential } = found;
  const adopted = await store.adoptUid(factoryUid, {
    uid,
    formerUid,
    credential:
      credential === undefined
        ? undefined
        : {
            webhookUid: formerUid,
            secretName: webhook.secretName,
            sealed: sealer.seal(credential, credentialContext(formerUid)),
          },
    at: now().toISOString(),
  });
  if (adopted) return;
  throw new MillraceError(
    "conflict",
    `Something else on this server has the uid "${formerUid}", or had it before it was deleted.`,
    {
      remedy: "A uid belongs to one thing for ever, also when that is deleted: give this webhook's own.",
      retryable: false,
    },
  );
}
