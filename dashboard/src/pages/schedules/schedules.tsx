import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { schedulesQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";

type Schedule = Models["ScheduledAgentItem"];

const COLUMNS = [
  { title: "State" },
  { title: "Schedule" },
  { title: "Last run", isWide: true, isRight: true },
  { title: "Next run", isRight: true },
];

/** When runs start by themselves. Those of automations are in their files. */
export function Schedules() {
  const schedules = useQuery(schedulesQuery);
  const mayOperate = useMay("operator");
  const change = useMutation({
    mutationFn: ({ id, enabled }: Schedule) =>
      enabled ? millrace.schedules.pause(id) : millrace.schedules.resume(id),
    onSuccess: ({ name, enabled }) => announce(`${name} is ${enabled ? "resumed" : "paused"}.`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey }),
  });
  return (
    <Page
      title="Schedules"
      lead="Schedules of the API. Those of automations stand in their files. Times of cron are UTC."
    >
      {change.error && <ProblemNotice error={change.error} />}
      <Section title="Schedules" isFlush>
        <Loaded query={schedules}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState
                title="No schedule yet"
                command='millrace schedules create --name nightly --cron @daily --prompt "Tidy up."'
              >
                A schedule starts a run whenever it is due.
              </EmptyState>
            ) : (
              <DataTable
                label="Schedules"
                columns={mayOperate ? [...COLUMNS, { title: "Actions", isRight: true }] : COLUMNS}
              >
                {all.map((schedule) => (
                  <ScheduleRow
                    key={schedule.id}
                    schedule={schedule}
                    {...(mayOperate ? { onChange: () => change.mutate(schedule) } : {})}
                  />
                ))}
              </DataTable>
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}

function ScheduleRow({ schedule, onChange }: { schedule: Schedule; onChange?: () => void }) {
  const { id, name, cron_schedule, enabled, history, last_spawn_error } = schedule;
  return (
    <tr>
      <td>
        <Chip tone={enabled ? "green" : "grey"}>{enabled ? "Enabled" : "Paused"}</Chip>
      </td>
      <td className={main}>
        <Link href={`/runs?schedule_id=${id}`}>{name}</Link> <code>{cron_schedule}</code>
        {last_spawn_error && <div>{last_spawn_error}</div>}
      </td>
      <td className={`${wide} ${right} ${muted}`}>
        {history.last_ran ? <RelativeTime at={history.last_ran} /> : "never"}
      </td>
      <td className={`${right} ${muted}`}>
        {enabled && history.next_run ? <RelativeTime at={history.next_run} /> : "—"}
      </td>
      {onChange && (
        <td className={right}>
          <Button isSmall onPress={onChange} aria-label={`${enabled ? "Pause" : "Resume"} ${name}`}>
            {enabled ? "Pause" : "Resume"}
          </Button>
        </td>
      )}
    </tr>
  );
}
