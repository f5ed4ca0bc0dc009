import type { Models } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Actions } from "../../parts/forms/dialog.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { CopyBlock } from "../../parts/text/copyable.tsx";
import styles from "./new-credential.module.css";
import { providerOf } from "./providers.ts";

interface NewCredentialProps {
  webhook: Models["CreatedWebhook"];
  /** Names of other webhooks that have the same secret. */
  alsoRotated?: readonly string[];
  /** Webhooks of other factories that have the same secret, and still take its old value. */
  notRotated?: Models["RotatedWebhook"]["not_rotated"];
  onDone: () => void;
}

const ONCE = "Copy it now: it will not be shown again.";

/** What the sender of a webhook is given, right after it was made. */
export function NewCredential({ webhook, alsoRotated = [], notRotated = [], onDone }: NewCredentialProps) {
  const { url, auth_mode, secret, secret_name, signature_scheme } = webhook;
  const isInUrl = auth_mode === "url_token" && secret !== undefined;
  return (
    <>
      <div className={styles.part}>
        <h3>URL</h3>
        {isInUrl ? (
          <ShownOnce what="the URL" value={url} note={`${ONCE} Its last segment is the secret.`} />
        ) : (
          <CopyBlock text={url} what="the URL" />
        )}
      </div>
      {secret !== undefined && !isInUrl && (
        <div className={styles.part}>
          <h3>Secret</h3>
          <ShownOnce what="the secret" value={secret} note={ONCE} />
        </div>
      )}
      <p className={styles.next}>{nextStep(webhook)}</p>
      {alsoRotated.length > 0 && (
        <p className={styles.next}>
          These webhooks share the secret and now use its new value: {alsoRotated.join(", ")}.
        </p>
      )}
      {notRotated.map((other) => (
        <p key={`${other.factory}/${other.webhook}`} className={styles.next}>
          <strong>
            {other.factory}/{other.webhook} still accepts the old secret:
          </strong>{" "}
          {other.reason}.
        </p>
      ))}
      {signature_scheme !== null && <p className={styles.next}>{providerOf(signature_scheme).setUp}</p>}
      <Actions>
        <Button kind="main" onPress={onDone}>
          {secret === undefined ? "Continue" : "I have copied it"}
        </Button>
      </Actions>
    </>
  );

  function nextStep({ status }: Models["CreatedWebhook"]): string {
    if (status === "awaiting_secret") {
      return `Step 1 of 2: give the URL to ${providerOf(signature_scheme ?? "").label}. The webhook rejects every delivery until step 2, Finish webhook setup, where you enter the signing secret.`;
    }
    if (secret === undefined) return `It uses the existing secret ${secret_name}.`;
    return auth_mode === "token"
      ? `Senders put it in the Authorization: Bearer header. It is stored as the secret ${secret_name}.`
      : `It is stored as the secret ${secret_name}.`;
  }
}
