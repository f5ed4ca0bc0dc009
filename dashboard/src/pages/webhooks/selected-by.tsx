import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { automationsQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { EnabledChip, NameCell } from "../../parts/tables/cells.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";

const COLUMNS = [{ title: "State" }, { title: "Automation" }];

const NONE = (
  <EmptyState title="No automation selects this webhook">
    Its deliveries are logged but start nothing. Select it in a trigger of an automation.
  </EmptyState>
);

/** The automations that a delivery of a webhook can start. */
export function SelectedBy({ factory, webhook }: { factory: string; webhook: Models["Webhook"] }) {
  const selecting = useSelecting(factory, webhook.uid);
  const mayEdit = useMayEdit(useFactory().factory);
  const adding = `${factoryPath(factory, "new-automation")}?webhook=${encodeURIComponent(webhook.name)}`;
  return (
    <Listing
      title="Automations that select this webhook"
      query={selecting}
      columns={COLUMNS}
      empty={NONE}
      aside={mayEdit && <Link href={adding}>Add automation</Link>}
    >
      {({ name, enabled }) => (
        <tr key={name}>
          <td>
            <EnabledChip enabled={enabled} />
          </td>
          <NameCell name={<Link href={factoryPath(factory, "automations", name)}>{name}</Link>} />
        </tr>
      )}
    </Listing>
  );
}

/** The automations with a trigger that selects a webhook. */
export function useSelecting(factory: string, webhookUid: string): UseQueryResult<Models["Automation"][]> {
  return useQuery({
    ...automationsQuery(factory),
    select: (all) =>
      all.filter(({ triggers }) =>
        triggers.some(({ webhooks = [] }) => webhooks.some(({ uid }) => uid === webhookUid)),
      ),
  });
}
