import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { latestDeliveriesQuery, webhooksQuery } from "../../api/queries.ts";
import { factoryPath, useFactory } from "../../frame/use-factory.ts";
import { Chip } from "../../parts/chip.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { OUTCOME_TONES, WEBHOOK_TONES, WEBHOOK_WORDS } from "../../parts/tones.ts";
import { authenticationText } from "./authentication.ts";

const COLUMNS = [
  { title: "State" },
  { title: "Webhook" },
  { title: "Authentication", isWide: true },
  { title: "Last delivery", isRight: true },
];

const EXAMPLE = "printf 'secretName: CI_SECRET\\n' > webhooks/ci.yaml";

/** The addresses that outside systems post to. */
export function Webhooks() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factory } = useFactory();
  const webhooks = useQuery(webhooksQuery(name));
  return (
    <Page
      title="Webhooks"
      lead="Addresses that outside systems post JSON to. Automations decide what it starts."
    >
      <ReadOnlyNote factory={factory} path="webhooks/" />
      <Section title={`Webhooks of ${name}`} isFlush>
        <Loaded query={webhooks}>
          {(all) =>
            all.length > 0 ? (
              <DataTable label="Webhooks" columns={COLUMNS}>
                {all.map((webhook) => (
                  <WebhookRow key={webhook.uid} webhook={webhook} />
                ))}
              </DataTable>
            ) : (
              <EmptyState title="No webhook yet" command={EXAMPLE}>
                A webhook is a file in the definition. Add one, set its secret under Secrets, and bring both
                into force.
              </EmptyState>
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}

function WebhookRow({ webhook }: { webhook: Models["Webhook"] }) {
  const { factory, uid, name, status } = webhook;
  const { data: latest } = useQuery(latestDeliveriesQuery(factory, uid));
  const last = latest?.[0];
  return (
    <tr>
      <td>
        <Chip tone={WEBHOOK_TONES[status]}>{WEBHOOK_WORDS[status]}</Chip>
      </td>
      <td className={main}>
        <Link href={factoryPath(factory, "webhooks", uid)}>{name}</Link>
      </td>
      <td className={`${wide} ${muted}`}>{authenticationText(webhook)}</td>
      <td className={`${right} ${muted}`}>
        {last ? (
          <>
            <Chip tone={OUTCOME_TONES[last.outcome]}>{last.outcome}</Chip> <RelativeTime at={last.time} />
          </>
        ) : (
          latest && "never"
        )}
      </td>
    </tr>
  );
}
