import { Link } from "wouter";
import type { Run } from "../../api/models.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { runCostText } from "../../parts/runs/run-figures.ts";
import { EVENT_WORDS } from "../../parts/runs/run-origin.ts";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { durationText } from "../../parts/time/time-text.ts";
import styles from "./run-origin.module.css";
import { runTimes } from "./run-times.ts";

/** What a run is for, and when it was: the line below its title. */
export function RunOrigin({ run }: { run: Run }) {
  const { factories } = useFactory();
  const factory = factories.find(({ uid }) => uid === run.factory_uid)?.name;
  const { workedMs, totalMs } = runTimes(run);
  const cost = runCostText(run);
  return (
    <ul className={styles.origin} aria-label="Origin">
      <Cause run={run} factory={factory} />
      {factory && (
        <li>
          in <Link href={factoryPath(factory, "automations")}>{factory}</Link>
        </li>
      )}
      <Event run={run} />
      {run.parent_run_id && !run.trigger?.run_id && (
        <li>
          from <Link href={`/runs/${run.parent_run_id}`}>{run.parent?.title || "another run"}</Link>
        </li>
      )}
      {run.task_uid && (
        <li>
          for{" "}
          <Link href={factory ? factoryPath(factory, "tasks", run.task_uid) : `/tasks/${run.task_uid}`}>
            a task
          </Link>
        </li>
      )}
      {run.rerun_of && (
        <li>
          repeats <Link href={`/runs/${run.rerun_of}`}>another run</Link>
        </li>
      )}
      <li>
        <RelativeTime at={run.created_at} />
      </li>
      {workedMs !== undefined && (
        <li>
          {hasEnded(run.state) ? "Took" : "Worked"} {durationText(workedMs)}
          {totalMs !== undefined &&
            totalMs - workedMs >= 1_000 &&
            ` (${durationText(totalMs)} from start to end)`}
        </li>
      )}
      {cost && <li>{cost}</li>}
    </ul>
  );
}

/** The event of its factory that has started it. */
function Event({ run: { trigger } }: { run: Run }) {
  if (!trigger) return null;
  const words = EVENT_WORDS[trigger.event];
  return <li>{trigger.run_id ? <Link href={`/runs/${trigger.run_id}`}>{words}</Link> : words}</li>;
}

/** The automation with its delivery, the schedule, or the person. */
function Cause({ run, factory }: { run: Run; factory: string | undefined }) {
  const { automation_id: automation, delivery_id: delivery, webhook_uid: webhook, schedule } = run;
  const name = run.agent_config?.name ?? automation;
  return (
    <>
      {automation && (
        <li>
          Automation{" "}
          {factory ? <Link href={factoryPath(factory, "automations", automation)}>{name}</Link> : name}
        </li>
      )}
      {delivery && factory && webhook && (
        <li>
          <Link href={`${factoryPath(factory, "webhooks", webhook)}?delivery=${delivery}`}>Delivery</Link>
        </li>
      )}
      {schedule && (
        <li>
          Schedule <Link href="/schedules">{schedule.schedule_name || schedule.cron_schedule}</Link>
        </li>
      )}
      {!automation && !schedule && !delivery && (
        <li>
          Started by {run.creator.display_name || run.creator.uid || "an unknown person"}
          {PLACES[run.source] && ` ${PLACES[run.source]}`}
        </li>
      )}
    </>
  );
}

const PLACES: Readonly<Record<string, string>> = {
  API: "through the API",
  CLI: "on the command line",
  WEB_APP: "in the dashboard",
};
