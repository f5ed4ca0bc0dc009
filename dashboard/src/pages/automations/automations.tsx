import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { automationsQuery } from "../../api/queries.ts";
import { factoryPath, useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { EnabledChip, NameCell, TimeCell, WideCell } from "../../parts/cells.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { triggerText } from "./trigger-text.ts";

const COLUMNS = [
  { title: "State" },
  { title: "Automation" },
  { title: "Started by", isWide: true },
  { title: "Agent", isWide: true },
  { title: "Updated", isRight: true },
];

const NONE = (
  <EmptyState title="No automations yet" command="millrace init example">
    An automation is a file in the definition. To create a small working example:
  </EmptyState>
);

const NONE_HERE = (
  <EmptyState title="No automations yet">
    An automation defines which deliveries start a run, and what the agent is asked to do.
  </EmptyState>
);

/** What starts runs. */
export function Automations() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factory } = useFactory();
  const mayEdit = useMayEdit(factory);
  const automations = useQuery(automationsQuery(name));
  return (
    <Page
      title="Automations"
      lead="Automations start runs. Each has triggers with filters, and a prompt for the agent."
      actions={
        mayEdit && (
          <ButtonLink kind="main" href={factoryPath(name, "new-automation")}>
            Add automation
          </ButtonLink>
        )
      }
    >
      <ReadOnlyNote factory={factory} path="automations/" />
      <Listing
        title={`Automations of ${name}`}
        label="Automations"
        query={automations}
        columns={COLUMNS}
        empty={mayEdit ? NONE_HERE : NONE}
      >
        {({ uid, name: automation, enabled, triggers, agent, updated_at }) => (
          <tr key={uid}>
            <td>
              <EnabledChip enabled={enabled} />
            </td>
            <NameCell name={<Link href={factoryPath(name, "automations", automation)}>{automation}</Link>} />
            <WideCell>{triggers.map(triggerText).join(" · ")}</WideCell>
            <WideCell>{agent}</WideCell>
            <TimeCell at={updated_at} />
          </tr>
        )}
      </Listing>
    </Page>
  );
}
