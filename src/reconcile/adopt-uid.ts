import { MillraceError } from "../errors/error.ts";
import { isUid } from "../id.ts";
import { type ActiveDefinition, credentialContext } from "./active-definition.ts";
import type { Moved } from "./outcome.ts";
import type { ReconcileDeps } from "./subject.ts";

interface Adopter {
  /** The factory. */
  uid: string;
  active: ActiveDefinition | undefined;
}

/**
 * Gives a webhook the uid that it had in a store that is lost. A credential is sealed for the uid of its webhook, so it is
 * sealed anew.
 * @returns "moved" when something else has come into force meanwhile, so that nothing was changed
 * @throws MillraceError
 */
export async function adoptUid(
  uid: string,
  formerUid: string,
  { uid: factoryUid, active }: Adopter,
  { store, sealer, now }: Pick<ReconcileDeps, "store" | "sealer" | "now">,
): Promise<"adopted" | Moved> {
  const found = active?.webhooks.find((webhook) => webhook.uid === uid);
  if (!found || !active)
    throw new MillraceError("resource_not_found", `The factory has no active webhook with the UID "${uid}".`);
  if (!isUid(formerUid)) {
    throw new MillraceError("invalid_request", `uid: "${formerUid.slice(0, 40)}" is not a webhook UID.`, {
      remedy: "Specify the 22 letters and digits at the end of the URL that its senders use.",
      extra: { field: "uid" },
    });
  }
  if (formerUid === uid) return "adopted";
  const { webhook, credential, previous } = found;
  const seal = (secret: string) => sealer.seal(secret, credentialContext(formerUid));
  const adopted = await store.adoptUid(factoryUid, {
    uid,
    formerUid,
    credential:
      credential === undefined
        ? undefined
        : {
            webhookUid: formerUid,
            secretName: webhook.secretName,
            sealed: seal(credential),
            ...(previous && {
              previous: { sealed: seal(previous.secret), since: previous.since, until: previous.until },
            }),
          },
    expects: active.generation,
    at: now().toISOString(),
  });
  if (adopted !== "uid taken") return adopted;
  throw new MillraceError(
    "conflict",
    `The UID "${formerUid}" belongs or belonged to another resource on this server.`,
    {
      remedy:
        "A UID belongs to one resource permanently, even after that resource is deleted. Specify the UID that this webhook had before.",
      retryable: false,
    },
  );
}
