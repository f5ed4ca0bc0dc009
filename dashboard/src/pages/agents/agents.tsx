import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Chip } from "../../parts/chip.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";

const COLUMNS = [
  { title: "State" },
  { title: "Agent" },
  { title: "Factory", isWide: true },
  { title: "Uid", isWide: true },
  { title: "Updated", isRight: true },
];

/** Who does the work: the agents of definitions, and those that the API has made. */
export function Agents() {
  const { factories } = useFactory();
  const agents = useQuery(agentsQuery);
  return (
    <Page title="Agents" lead="Agents of definitions are files in agents/; others are made by the API.">
      <Section title="Agents" isFlush>
        <Loaded query={agents}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState title="No agent is named">
                Runs go to the server's default agent until a definition has one.
              </EmptyState>
            ) : (
              <DataTable label="Agents" columns={COLUMNS}>
                {all.map(({ uid, name, description, available, factory_uid, agent_type, updated_at }) => (
                  <tr key={uid}>
                    <td>
                      <Chip tone={available ? "green" : "amber"}>
                        {available ? "Available" : "Not available"}
                      </Chip>
                    </td>
                    <td className={main}>
                      {name} {agent_type && <span className={muted}>{agent_type.toLowerCase()}</span>}
                      {description && <div className={muted}>{description}</div>}
                    </td>
                    <td className={`${wide} ${muted}`}>
                      {factories.find((factory) => factory.uid === factory_uid)?.name ?? "—"}
                    </td>
                    <td className={`${wide} ${muted}`}>
                      <Copyable text={uid} what="the uid" />
                    </td>
                    <td className={`${right} ${muted}`}>
                      <RelativeTime at={updated_at} />
                    </td>
                  </tr>
                ))}
              </DataTable>
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}
