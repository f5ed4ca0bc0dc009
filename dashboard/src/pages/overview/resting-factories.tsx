import { useQuery } from "@tanstack/react-query";
import { restingFactoriesQuery } from "../../api/queries.ts";
import { DeleteFactory } from "../../frame/delete-factory.tsx";
import { counted } from "../../parts/counted.ts";
import { Section } from "../../parts/page.tsx";
import { ActionCell } from "../../parts/tables/cells.tsx";
import { DataTable, main, muted } from "../../parts/tables/data-table.tsx";

const COLUMNS = [
  { title: "Factory" },
  { title: "Source" },
  { title: "Effect" },
  { title: "", isRight: true },
];

/** Factories that are on record and that no source serves; nothing where there are none. */
export function RestingFactories() {
  const { data: resting = [] } = useQuery(restingFactoriesQuery);
  if (resting.length === 0) return null;
  return (
    <Section title="Factories without a source" isFlush>
      <DataTable label="Factories without a source" columns={COLUMNS}>
        {resting.map(({ uid, name, source, webhooks, waiting_runs }) => (
          <tr key={uid}>
            <td className={main}>{name}</td>
            <td className={muted}>{source.url ?? source.path}</td>
            <td className={muted}>
              {counted(webhooks, "webhook")} {webhooks === 1 ? "returns" : "return"} 404
              {waiting_runs > 0 &&
                `, ${counted(waiting_runs, "run")} ${waiting_runs === 1 ? "waits" : "wait"}`}
            </td>
            <ActionCell>
              <DeleteFactory factory={{ uid, name }} isSmall />
            </ActionCell>
          </tr>
        ))}
      </DataTable>
    </Section>
  );
}
