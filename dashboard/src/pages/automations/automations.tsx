import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { automationActivityQuery } from "../../api/activity-queries.ts";
import type { Models } from "../../api/models.ts";
import { automationsQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Page } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { LastRun, SuccessRate } from "../../parts/runs/run-summary.tsx";
import { Sparkline } from "../../parts/sparkline.tsx";
import { EnabledChip, NameCell, TimeCell, WideCell } from "../../parts/tables/cells.tsx";
import { cellClass, muted, wide } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";
import { triggerText } from "./trigger-text.ts";

const COLUMNS = [
  { title: "State" },
  { title: "Automation" },
  { title: "Started by", isWide: true },
  { title: "Last run" },
  { title: "Success", isWide: true, isRight: true },
  { title: "Last 24 hours", isWide: true },
  { title: "Next run", isWide: true, isRight: true },
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
  const { data: activity } = useQuery(automationActivityQuery(name));
  const activityOf = new Map(activity?.map((each) => [each.uid, each]));
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
        {(automation) => (
          <AutomationRow
            key={automation.uid}
            factory={name}
            automation={automation}
            activity={activityOf.get(automation.uid)}
          />
        )}
      </Listing>
    </Page>
  );
}

interface AutomationRowProps {
  factory: string;
  automation: Models["Automation"];
  /** Nothing while it is loaded. */
  activity: Models["AutomationActivity"] | undefined;
}

function AutomationRow({ factory, automation, activity }: AutomationRowProps) {
  const { name, enabled, triggers, agent, next_fire_at } = automation;
  return (
    <tr>
      <td>
        <EnabledChip enabled={enabled} />
      </td>
      <NameCell
        name={<Link href={factoryPath(factory, "automations", name)}>{name}</Link>}
        notes={[`Agent: ${agent}`]}
      />
      <WideCell>{triggers.map(triggerText).join(" · ")}</WideCell>
      <td className={muted}>
        <LastRun summary={activity} otherwise="never" />
      </td>
      <td className={cellClass({ isWide: true, isRight: true })}>
        <SuccessRate summary={activity} />
      </td>
      <td className={wide}>
        {activity && (
          <Sparkline counts={activity.runs} failed={activity.runs_failed} what="Runs" failing="failed" />
        )}
      </td>
      <TimeCell at={next_fire_at} otherwise="—" isWide />
    </tr>
  );
}
