import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { webhookActivityQuery, webhooksQuery } from "../../api/queries.ts";
import { factoryPath, useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { NameCell, TimeCell, WideCell } from "../../parts/cells.tsx";
import { Chip } from "../../parts/chip.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { OUTCOME_TONES, WEBHOOK_TONES, WEBHOOK_WORDS } from "../../parts/tones.ts";
import { AddWebhook } from "./add-webhook.tsx";
import { authenticationText } from "./authentication.ts";

type Latest = Models["WebhookActivity"]["latest"];

const COLUMNS = [
  { title: "State" },
  { title: "Webhook" },
  { title: "Authentication", isWide: true },
  { title: "Last outcome", isWide: true },
  { title: "Last delivery", isRight: true },
];

/** The addresses that outside systems post to. */
export function Webhooks() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factory } = useFactory();
  const webhooks = useQuery(webhooksQuery(name));
  const { data: activity } = useQuery(webhookActivityQuery(name));
  const mayEdit = useMayEdit(factory);
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Webhooks"
      lead="URLs that external systems post JSON to. Automations decide which runs a delivery starts."
      actions={
        mayEdit && (
          <Button kind="main" onPress={() => setAdding(true)}>
            Add webhook
          </Button>
        )
      }
    >
      <ReadOnlyNote factory={factory} path="webhooks/" />
      <Listing
        title={`Webhooks of ${name}`}
        label="Webhooks"
        query={webhooks}
        columns={COLUMNS}
        empty={<NoWebhook factory={factory} />}
      >
        {(webhook) => (
          <WebhookRow
            key={webhook.uid}
            webhook={webhook}
            latest={activity?.find(({ uid }) => uid === webhook.uid)?.latest}
          />
        )}
      </Listing>
      {isAdding && <AddWebhook factory={name} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function WebhookRow({ webhook, latest }: { webhook: Models["Webhook"]; latest: Latest | undefined }) {
  const { factory, uid, name, status } = webhook;
  const last = latest?.[0];
  return (
    <tr>
      <td>
        <Chip tone={WEBHOOK_TONES[status]}>{WEBHOOK_WORDS[status]}</Chip>
      </td>
      <NameCell name={<Link href={factoryPath(factory, "webhooks", uid)}>{name}</Link>} />
      <WideCell>{authenticationText(webhook)}</WideCell>
      <WideCell>{last && <Chip tone={OUTCOME_TONES[last.outcome]}>{last.outcome}</Chip>}</WideCell>
      <TimeCell at={last?.time} otherwise={latest ? "never" : ""} />
    </tr>
  );
}

function NoWebhook({ factory }: { factory: Models["Factory"] | undefined }) {
  if (factory?.mode === "managed") {
    return (
      <EmptyState title="No webhooks yet" command="millrace webhooks create ci">
        Add one here or with the command line. Its URL and secret are then shown.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No webhooks yet" command="printf 'secretName: CI_SECRET\\n' > webhooks/ci.yaml">
      A webhook is a file in the definition. Add one, set its secret under Secrets, and sync the factory.
    </EmptyState>
  );
}
