import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { automationsQuery } from "../../api/queries.ts";
import { factoryPath } from "../../frame/use-factory.ts";
import { Chip } from "../../parts/chip.tsx";
import { DataTable, main } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Section } from "../../parts/page.tsx";

const COLUMNS = [{ title: "State" }, { title: "Automation" }];

/** The automations that a delivery of a webhook can start. */
export function SelectedBy({ factory, webhookUid }: { factory: string; webhookUid: string }) {
  const automations = useQuery(automationsQuery(factory));
  return (
    <Section title="Automations that select it" isFlush>
      <Loaded query={automations}>
        {(all) => {
          const selecting = all.filter(({ triggers }) =>
            triggers.some(({ webhooks = [] }) => webhooks.some(({ uid }) => uid === webhookUid)),
          );
          if (selecting.length === 0) {
            return (
              <EmptyState title="No automation selects this webhook">
                Its deliveries are logged and start nothing. Name it in a trigger of an automation.
              </EmptyState>
            );
          }
          return (
            <DataTable label="Automations that select it" columns={COLUMNS}>
              {selecting.map(({ name, enabled }) => (
                <tr key={name}>
                  <td>
                    <Chip tone={enabled ? "green" : "grey"}>{enabled ? "Enabled" : "Disabled"}</Chip>
                  </td>
                  <td className={main}>
                    <Link href={factoryPath(factory, "automations", name)}>{name}</Link>
                  </td>
                </tr>
              ))}
            </DataTable>
          );
        }}
      </Loaded>
    </Section>
  );
}
