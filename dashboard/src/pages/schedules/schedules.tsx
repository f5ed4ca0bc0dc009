import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { schedulesQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { cronText } from "../../parts/cron-text.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { EditDelete } from "../../parts/forms/edit-delete.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { EnabledChip, NameCell, TimeCell } from "../../parts/tables/cells.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";
import { useAction } from "../../parts/use-action.ts";
import { AutomationSchedules } from "./automation-schedules.tsx";
import { ScheduleForm } from "./schedule-form.tsx";

type Schedule = Models["ScheduledAgentItem"];

const COLUMNS = [
  { title: "State" },
  { title: "Schedule" },
  { title: "Last run", isWide: true, isRight: true },
  { title: "Next run", isWide: true, isRight: true },
];

const NONE = (
  <EmptyState
    title="No schedules yet"
    command='millrace schedules create --name nightly --cron @daily --prompt "Tidy up."'
  >
    A schedule starts runs at the times that its cron expression defines.
  </EmptyState>
);

/** When runs start by themselves. Those of automations are changed in their files. */
export function Schedules() {
  const schedules = useQuery(schedulesQuery);
  const mayOperate = useMay("operator");
  const [writing, setWriting] = useState<Schedule | "new">();
  const [deleting, setDeleting] = useState<Schedule>();
  const change = useAction({
    send: (_, { id, enabled }: Schedule) =>
      enabled ? millrace.schedules.pause(id) : millrace.schedules.resume(id),
    onDone: ({ name, enabled }) => announce(`${name} is ${enabled ? "resumed" : "paused"}.`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey }),
  });
  return (
    <Page
      title="Schedules"
      lead="Schedules created here or through the API, and those that automations define in their files. Cron times are in UTC."
      actions={
        mayOperate && (
          <Button kind="main" onPress={() => setWriting("new")}>
            Add schedule
          </Button>
        )
      }
    >
      {change.error && <ProblemNotice error={change.error} />}
      <Listing
        title="Schedules"
        query={schedules}
        columns={mayOperate ? [...COLUMNS, { title: "Actions", isRight: true }] : COLUMNS}
        empty={NONE}
      >
        {(schedule) => (
          <ScheduleRow
            key={schedule.id}
            schedule={schedule}
            actions={
              mayOperate && (
                <ScheduleActions
                  schedule={schedule}
                  onPause={() => change.run(schedule)}
                  onEdit={() => setWriting(schedule)}
                  onDelete={() => setDeleting(schedule)}
                />
              )
            }
          />
        )}
      </Listing>
      <AutomationSchedules />
      {writing && (
        <ScheduleForm
          schedule={writing === "new" ? undefined : writing}
          onClose={() => setWriting(undefined)}
        />
      )}
      <ConfirmDialog
        title={`Delete ${deleting?.name}?`}
        action="Delete schedule"
        isOpen={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        onConfirm={async () => deleting && remove(deleting)}
      >
        <p>It will not start any more runs. Runs in progress continue, and past runs are retained.</p>
      </ConfirmDialog>
    </Page>
  );
}

async function remove({ id, name }: Schedule): Promise<void> {
  await millrace.schedules.delete(id);
  await queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey });
  announce(`Deleted ${name}.`);
}

function ScheduleRow({ schedule, actions }: { schedule: Schedule; actions: ReactNode }) {
  const { id, name, cron_schedule, timezone, enabled, history, last_spawn_error } = schedule;
  return (
    <tr>
      <td>
        <EnabledChip enabled={enabled} off="Paused" />
      </td>
      <NameCell
        name={
          <>
            <Link href={`/runs?schedule_id=${id}`}>{name}</Link>{" "}
            <code>{cronText(cron_schedule, timezone)}</code>
          </>
        }
        notes={[last_spawn_error]}
      />
      <TimeCell at={history.last_ran} isWide />
      <TimeCell at={enabled ? history.next_run : undefined} otherwise="—" isWide />
      {actions}
    </tr>
  );
}

interface ScheduleActionsProps {
  schedule: Schedule;
  onPause: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

function ScheduleActions({ schedule: { name, enabled }, onPause, ...on }: ScheduleActionsProps) {
  return (
    <EditDelete name={name} {...on}>
      <Button isSmall onPress={onPause} aria-label={`${enabled ? "Pause" : "Resume"} ${name}`}>
        {enabled ? "Pause" : "Resume"}
      </Button>
    </EditDelete>
  );
}
