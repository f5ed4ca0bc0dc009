import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { webhookDetailsQuery } from "../../api/activity-queries.ts";
import type { Models } from "../../api/client.ts";
import { webhooksQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Page } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { LastRun, SuccessRate } from "../../parts/runs/run-summary.tsx";
import { NameCell, WideCell } from "../../parts/tables/cells.tsx";
import { cellClass, muted, wide } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { OUTCOME_TONES, WEBHOOK_TONES, WEBHOOK_WORDS } from "../../parts/tones.ts";
import { AddWebhook } from "./add-webhook.tsx";
import { authenticationText } from "./authentication.ts";
import { DeliverySparkline } from "./delivery-sparkline.tsx";
import { OutboundList } from "./outbound/outbound-list.tsx";
import { WebhookWarnings } from "./webhook-warnings.tsx";

const COLUMNS = [
  { title: "State" },
  { title: "Webhook" },
  { title: "Authentication", isWide: true },
  { title: "Last delivery" },
  { title: "Last 24 hours", isWide: true },
  { title: "Last run", isWide: true },
  { title: "Success", isWide: true, isRight: true },
];

/** The addresses that outside systems post to. */
export function Webhooks() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factory } = useFactory();
  const webhooks = useQuery(webhooksQuery(name));
  const { data: activity } = useQuery(webhookDetailsQuery(name));
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
            activity={activity?.find(({ uid }) => uid === webhook.uid)}
          />
        )}
      </Listing>
      <OutboundList factory={name} />
      {isAdding && <AddWebhook factory={name} onClose={() => setAdding(false)} />}
    </Page>
  );
}

interface WebhookRowProps {
  webhook: Models["Webhook"];
  /** Nothing while it is loaded. */
  activity: Models["WebhookActivity"] | undefined;
}

function WebhookRow({ webhook, activity }: WebhookRowProps) {
  const { factory, uid, name, status } = webhook;
  const last = activity?.latest[0];
  return (
    <tr>
      <td>
        <Chip tone={WEBHOOK_TONES[status]}>{WEBHOOK_WORDS[status]}</Chip>
      </td>
      <NameCell
        name={
          <>
            <Link href={factoryPath(factory, "webhooks", uid)}>{name}</Link>{" "}
            <WebhookWarnings activity={activity} />
          </>
        }
      />
      <WideCell>{authenticationText(webhook)}</WideCell>
      <td className={muted}>
        {last ? (
          <>
            <Chip tone={OUTCOME_TONES[last.outcome]}>{last.outcome}</Chip> <RelativeTime at={last.time} />
          </>
        ) : (
          activity && "never"
        )}
      </td>
      <td className={wide}>{activity?.hours && <DeliverySparkline hours={activity.hours} />}</td>
      <td className={`${wide} ${muted}`}>
        <LastRun summary={activity} otherwise="never" />
      </td>
      <td className={cellClass({ isWide: true, isRight: true })}>
        <SuccessRate summary={activity} />
      </td>
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
