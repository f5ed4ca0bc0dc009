import { useQuery } from "@tanstack/react-query";
import { Page, Section } from "../../../parts/page.tsx";
import { EmptyState } from "../../../parts/tables/empty-state.tsx";
import { Loaded } from "../../../parts/tables/loaded.tsx";
import { outboundListQuery } from "./outbound-queries.ts";
import { OutboundTable } from "./outbound-table.tsx";

const EXAMPLE = `outbound:
  - name: audit
    url: https://audit.example.com/millrace
    secret: { env: AUDIT_WEBHOOK_SECRET }
    events: [run.ended, definition.applied, definition.failed]`;

/** Where events are posted to that the settings name. */
export function ServerOutbound() {
  const query = useQuery(outboundListQuery(null));
  return (
    <Page
      title="Outbound webhooks"
      lead="Events of the whole server are posted to these URLs, signed according to Standard Webhooks. The page Webhooks of a factory lists the outbound webhooks of the factory."
    >
      <Section title="Defined in millrace.yaml" isFlush>
        <Loaded query={query}>
          {(outbound) =>
            outbound.length === 0 ? (
              <EmptyState title="There are no outbound webhooks of the server" command={EXAMPLE}>
                Add them under outbound: in millrace.yaml, and restart the server.
              </EmptyState>
            ) : (
              <OutboundTable place={null} outbound={outbound} />
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}
