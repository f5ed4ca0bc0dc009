import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { NameCell, TimeCell, UidCell, WideCell } from "../../parts/cells.tsx";
import { Chip } from "../../parts/chip.tsx";
import { muted } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";

const COLUMNS = [
  { title: "State" },
  { title: "Agent" },
  { title: "Factory", isWide: true },
  { title: "Uid", isWide: true },
  { title: "Updated", isRight: true },
];

const NONE = (
  <EmptyState title="No agent is named">
    Runs go to the server's default agent until a definition has one.
  </EmptyState>
);

/** Who does the work: the agents of definitions, and those that the API has made. */
export function Agents() {
  const { factories } = useFactory();
  const agents = useQuery(agentsQuery);
  return (
    <Page title="Agents" lead="Agents of definitions are files in agents/; others are made by the API.">
      <Listing title="Agents" query={agents} columns={COLUMNS} empty={NONE}>
        {({ uid, name, description, available, factory_uid, agent_type, updated_at }) => (
          <tr key={uid}>
            <td>
              <Chip tone={available ? "green" : "amber"}>{available ? "Available" : "Not available"}</Chip>
            </td>
            <NameCell
              name={
                <>
                  {name} {agent_type && <span className={muted}>{agent_type.toLowerCase()}</span>}
                </>
              }
              notes={[description]}
            />
            <WideCell>{factories.find((factory) => factory.uid === factory_uid)?.name ?? "—"}</WideCell>
            <UidCell uid={uid} />
            <TimeCell at={updated_at} />
          </tr>
        )}
      </Listing>
    </Page>
  );
}
