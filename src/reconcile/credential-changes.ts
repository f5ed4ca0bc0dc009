import { MillraceError } from "../errors/error.ts";
import { isUid } from "../id.ts";
import { type ActiveDefinition, credentialContext } from "./active-definition.ts";
import type { Moved } from "./outcome.ts";
import type { Factory } from "./running-factory.ts";
import type { ReconcileDeps } from "./subject.ts";
import { goesBy, type SecretRotation, sealCredential, takenCredentials } from "./webhook-credentials.ts";

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

/**
 * Gives the webhooks of a factory that go by a secret the value that it has now, and leaves all else of the definition in
 * force as it is. It works while the factory is suspended, too: what has leaked must not open anything.
 * @returns "moved" when something else has come into force meanwhile, so that nothing was changed
 */
export async function retakeSecret(
  rotation: SecretRotation,
  { record, active }: Pick<Factory, "record" | "active">,
  { store, vault, sealer, now }: Pick<ReconcileDeps, "store" | "vault" | "sealer" | "now">,
): Promise<"retaken" | Moved> {
  const { name } = rotation;
  const value = (await vault.open([name], { webhooksOf: record.uid })).get(name);
  if (value === undefined) throw new Error(`the factory may not use any value of ${name}`);
  if (!active) return "retaken";
  const sharing = active.webhooks.filter(({ webhook }) => goesBy(webhook, name));
  const secrets = new Map([...takenCredentials(active), [name, value]]);
  const deps = { secrets, active, rotation, sealer, now: now() };
  const credentials = sharing.flatMap(({ uid, webhook }) => sealCredential(webhook, uid, deps) ?? []);
  const at = now().toISOString();
  return store.retakeCredentials(record.uid, { credentials, expects: active.generation, at });
}
