import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { webhookQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { useMay } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Copyable, CopyBlock } from "../../parts/copyable.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { WEBHOOK_TONES, WEBHOOK_WORDS } from "../../parts/tones.ts";
import { authenticationText, curlLine } from "./authentication.ts";
import { RecentDeliveries } from "./recent-deliveries.tsx";
import { SelectedBy } from "./selected-by.tsx";
import { TestDelivery } from "./test-delivery.tsx";
import styles from "./webhook.module.css";

/** One webhook: how to reach it, and what has come. */
export function Webhook() {
  const { factory: name = "", uid = "" } = useParams<{ factory: string; uid: string }>();
  const { factory } = useFactory();
  const query = useQuery(webhookQuery(name, uid));
  const [isSending, setSending] = useState(false);
  const mayOperate = useMay("operator");
  return (
    <Loaded query={query} title="Webhook">
      {(webhook) => (
        <Page
          title={webhook.name}
          mark={<Chip tone={WEBHOOK_TONES[webhook.status]}>{WEBHOOK_WORDS[webhook.status]}</Chip>}
          actions={
            mayOperate &&
            webhook.status === "active" && (
              <Button kind="main" onPress={() => setSending(true)}>
                Send a test delivery
              </Button>
            )
          }
        >
          <ReadOnlyNote factory={factory} path={webhook.defined_in.path} />
          <Reaching webhook={webhook} />
          <RecentDeliveries factory={name} webhook={webhook} />
          <SelectedBy factory={name} webhookUid={uid} />
          <TestDelivery webhook={webhook} isOpen={isSending} onClose={() => setSending(false)} />
        </Page>
      )}
    </Loaded>
  );
}

function Reaching({ webhook }: { webhook: Models["Webhook"] }) {
  const line = curlLine(webhook);
  return (
    <Section title="Ingress">
      <div className={styles.reaching}>
        <Facts>
          <Fact name="URL">
            <Copyable text={webhook.url} what="the URL" />
          </Fact>
          <Fact name="Authentication">{authenticationText(webhook)}</Fact>
          <Fact name="Secret">
            <code>{webhook.secret_name}</code>
            {webhook.has_newer_secret && (
              <div className={styles.hint}>It has a newer value, which counts from the next revision on.</div>
            )}
          </Fact>
          <Fact name="Delivery ID header">
            {webhook.delivery_id_header ? (
              <code>{webhook.delivery_id_header}</code>
            ) : webhook.auth_mode === "signature" ? (
              "the provider's own"
            ) : (
              "X-Service-Delivery-Id, else a hash of the body"
            )}
          </Fact>
          <Fact name="Updated">
            <RelativeTime at={webhook.updated_at} />
          </Fact>
        </Facts>
        {webhook.auth_mode === "url_token" && (
          <p className={styles.hint}>
            <code>{"{token}"}</code> stands for the value of the secret: the whole URL is the credential, so
            it is not shown.
          </p>
        )}
        {line === undefined ? (
          <p className={styles.hint}>
            Give the URL to the provider, and its signing secret to millrace as {webhook.secret_name}. What it
            signs is checked by the scheme {webhook.signature_scheme}.
          </p>
        ) : (
          <CopyBlock text={line} what="the curl command" />
        )}
      </div>
    </Section>
  );
}
