import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { automationsQuery } from "../../api/queries.ts";
import { factoryPath, useFactory } from "../../frame/use-factory.ts";
import { Chip } from "../../parts/chip.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { triggerText } from "./trigger-text.ts";

const COLUMNS = [
  { title: "State" },
  { title: "Automation" },
  { title: "Started by", isWide: true },
  { title: "Agent", isWide: true },
  { title: "Updated", isRight: true },
];

/** What starts runs. */
export function Automations() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factory } = useFactory();
  const automations = useQuery(automationsQuery(name));
  return (
    <Page title="Automations" lead="What starts runs: a trigger, a filter, and what the agent is asked.">
      <ReadOnlyNote factory={factory} path="automations/" />
      <Section title={`Automations of ${name}`} isFlush>
        <Loaded query={automations}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState title="No automation yet" command="millrace init example">
                An automation is a file in the definition. A small working example to start from:
              </EmptyState>
            ) : (
              <DataTable label="Automations" columns={COLUMNS}>
                {all.map((automation) => (
                  <tr key={automation.uid}>
                    <td>
                      <Chip tone={automation.enabled ? "green" : "grey"}>
                        {automation.enabled ? "Enabled" : "Disabled"}
                      </Chip>
                    </td>
                    <td className={main}>
                      <Link href={factoryPath(name, "automations", automation.name)}>{automation.name}</Link>
                    </td>
                    <td className={`${wide} ${muted}`}>{automation.triggers.map(triggerText).join(" · ")}</td>
                    <td className={`${wide} ${muted}`}>{automation.agent}</td>
                    <td className={`${right} ${muted}`}>
                      <RelativeTime at={automation.updated_at} />
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
