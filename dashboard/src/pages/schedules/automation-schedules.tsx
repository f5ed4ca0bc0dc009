import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { scheduledAutomationsQuery } from "../../api/activity-queries.ts";
import type { Models } from "../../api/models.ts";
import { cronText } from "../../parts/cron-text.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { LastRun } from "../../parts/runs/run-summary.tsx";
import { EnabledChip, NameCell, TimeCell, WideCell } from "../../parts/tables/cells.tsx";
import { muted } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";

const COLUMNS = [
  { title: "State" },
  { title: "Automation" },
  { title: "Factory", isWide: true },
  { title: "If missed", isWide: true },
  { title: "Last run" },
  { title: "Next run", isWide: true, isRight: true },
];

const NONE = (
  <EmptyState title="No automation has a schedule">
    A trigger with the provider schedule starts the runs of an automation at the times that its cron
    expression defines.
  </EmptyState>
);

/** The schedules that automations have in their files, where they are changed. */
export function AutomationSchedules() {
  const automations = useQuery(scheduledAutomationsQuery);
  return (
    <Listing title="Schedules of automations" query={automations} columns={COLUMNS} empty={NONE}>
      {(automation) => <AutomationRow key={automation.uid} automation={automation} />}
    </Listing>
  );
}

function AutomationRow({ automation }: { automation: Models["AutomationActivity"] }) {
  const { factory, name, enabled, schedules, missed, timezone, next_fire_at } = automation;
  return (
    <tr>
      <td>
        <EnabledChip enabled={enabled} />
      </td>
      <NameCell
        name={
          <>
            <Link href={factoryPath(factory, "automations", name)}>{name}</Link>{" "}
            {schedules.map(({ cron, name: schedule }) => (
              <code key={`${cron} ${schedule}`}>
                {cron ? cronText(cron, timezone) : (schedule ?? "schedule of the API")}{" "}
              </code>
            ))}
          </>
        }
      />
      <WideCell>{factory}</WideCell>
      <WideCell>{missed === "once" ? "fires once" : "skipped"}</WideCell>
      <td className={muted}>
        <LastRun summary={automation} otherwise="never" />
      </td>
      <TimeCell at={next_fire_at} otherwise="—" isWide />
    </tr>
  );
}
