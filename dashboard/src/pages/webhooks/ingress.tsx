import type { ReactNode } from "react";
import type { Models } from "../../api/client.ts";
import { Fact, Facts } from "../../parts/facts.tsx";
import { Section } from "../../parts/page.tsx";
import { Copyable, CopyBlock } from "../../parts/text/copyable.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { authenticationText, curlLine } from "./authentication.ts";
import { ProviderSteps } from "./provider-steps.tsx";
import styles from "./webhook.module.css";

interface IngressProps {
  webhook: Models["Webhook"];
  /** What stands below the secret, and beside the delivery ID header. */
  secretHint?: ReactNode;
  headerAction?: ReactNode;
  /** What switches it on and off. */
  enabledSwitch?: ReactNode;
  /** What a sender has to be told; not where the page says it elsewhere. */
  hasInstructions: boolean;
}

/** How a webhook is reached: its URL, how senders prove themselves, and what they are told. */
export function Ingress({ webhook, secretHint, headerAction, enabledSwitch, hasInstructions }: IngressProps) {
  const { url, auth_mode, signature_scheme, secret_name, status } = webhook;
  return (
    <Section
      title="Ingress"
      aside={
        <span>
          updated <RelativeTime at={webhook.updated_at} />
        </span>
      }
    >
      <div className={styles.reaching}>
        <Facts>
          <Fact name="URL">
            <Copyable text={url} what="the URL" />
          </Fact>
          {enabledSwitch && <Fact name="State">{enabledSwitch}</Fact>}
          <Fact name="Authentication">{authenticationText(webhook)}</Fact>
          <Fact name="Secret">
            <code>{secret_name}</code>
            {secretHint && <div className={styles.hint}>{secretHint}</div>}
          </Fact>
          <Fact name="Delivery ID header">
            {headerText(webhook)} {headerAction}
          </Fact>
        </Facts>
        {auth_mode === "url_token" && (
          <p className={styles.hint}>
            <code>{"{token}"}</code> represents the value of the secret. The whole URL is the credential, so
            it is not shown.
          </p>
        )}
        {hasInstructions && <Instructions webhook={webhook} />}
        {status === "deleted" && (
          <p className={styles.hint}>
            This webhook was deleted: senders get 404. A new webhook named {webhook.name} gets the same URL.
          </p>
        )}
      </div>
    </Section>
  );

  function headerText({ delivery_id_header }: Models["Webhook"]): ReactNode {
    if (delivery_id_header !== null) return <code>{delivery_id_header}</code>;
    return signature_scheme === null
      ? "X-Service-Delivery-Id, else a hash of the body"
      : "none: the provider's own ID is used";
  }
}

function Instructions({ webhook }: { webhook: Models["Webhook"] }) {
  const line = curlLine(webhook);
  if (line !== undefined) return <CopyBlock text={line} what="the curl command" />;
  return <ProviderSteps scheme={webhook.signature_scheme ?? ""} />;
}
