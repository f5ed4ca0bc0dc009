import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { factoryActivityQuery } from "../../api/activity-queries.ts";
import type { Models } from "../../api/client.ts";
import { PauseButton } from "../../frame/pause-button.tsx";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Section } from "../../parts/page.tsx";
import { RevisionMark } from "../../parts/revision-mark.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { SYNC_TONES, SYNC_WORDS } from "../../parts/tones.ts";
import styles from "./factory-health.module.css";
import { deliveriesAt, runsAt } from "./ranges.ts";

type Factory = Models["Factory"];
type Activity = Models["FactoryActivity"];

const COLUMNS = [
  { title: "Factory" },
  { title: "Applied", isWide: true },
  { title: "Runs", isRight: true },
  { title: "Failed", isRight: true },
  { title: "Rejected", isWide: true, isRight: true },
  { title: "Dropped", isWide: true, isRight: true },
  { title: "Actions", isWide: true, isRight: true },
];
/** More would push the charts out of view. */
const SHOWN = 5;
const GRAVITY: readonly Factory["sync"]["status"][] = ["failed", "suspended", "pending", "synced"];

/** How each factory stands, in a line; those that need someone first. */
export function FactoryHealth({ factories }: { factories: readonly Factory[] }) {
  const { data: activity = [] } = useQuery(factoryActivityQuery);
  const [showsAll, setShowsAll] = useState(false);
  const activityOf = new Map(activity.map((each) => [each.uid, each]));
  const gravity = ({ uid, sync: { status } }: Factory) =>
    GRAVITY.indexOf(status) - ((activityOf.get(uid)?.last_24_hours.runs_failed ?? 0) > 0 ? 0.5 : 0);
  const sorted = [...factories].sort((a, b) => gravity(a) - gravity(b));
  const shown = showsAll ? sorted : sorted.slice(0, SHOWN);
  return (
    <Section
      title="Factories"
      isFlush
      aside={
        factories.length > SHOWN ? (
          <Button isSmall kind="quiet" onPress={() => setShowsAll(!showsAll)}>
            {showsAll ? "Show fewer" : `Show all ${factories.length}`}
          </Button>
        ) : (
          "Counts of the last 24 hours"
        )
      }
    >
      <DataTable label="Factories" columns={COLUMNS}>
        {shown.map((factory) => (
          <FactoryLine key={factory.uid} factory={factory} activity={activityOf.get(factory.uid)} />
        ))}
      </DataTable>
    </Section>
  );
}

function FactoryLine({ factory, activity }: { factory: Factory; activity: Activity | undefined }) {
  const { uid, name, source, sync } = factory;
  const day = lastDay();
  const counts = activity?.last_24_hours;
  return (
    <tr>
      <td className={main}>
        <span className={styles.factory}>
          <Chip tone={SYNC_TONES[sync.status]}>{SYNC_WORDS[sync.status]}</Chip>
          <Link href={factoryPath(name, "revisions")}>{name}</Link>
        </span>
      </td>
      <td className={`${wide} ${muted} ${styles.applied}`}>
        {sync.applied_revision === null || sync.applied_at === null ? (
          "Nothing yet"
        ) : (
          <>
            <RevisionMark source={source} revision={sync.applied_revision} />{" "}
            <RelativeTime at={sync.applied_at} />
          </>
        )}
      </td>
      <td className={`${right} ${muted}`}>{activity && <OpenRuns uid={uid} activity={activity} />}</td>
      <td className={right}>
        {counts && (
          <Count
            count={counts.runs_failed}
            what="runs failed"
            href={runsAt(day, { factory_uid: uid, state: "FAILED,ERROR" })}
          />
        )}
      </td>
      <td className={`${wide} ${right}`}>
        {counts && (
          <Count
            count={counts.rejected}
            what="deliveries rejected"
            href={deliveriesAt(day, {
              factory: name,
              outcome: "Rejected (auth),Rejected (invalid JSON),Rejected (too large)",
            })}
          />
        )}
      </td>
      <td className={`${wide} ${right}`}>
        {counts && (
          <Count
            count={counts.over_budget + counts.blocked}
            what={`deliveries dropped: ${counts.over_budget} over budget, ${counts.blocked} from blocked addresses`}
            href={factoryPath(name, "webhooks")}
          />
        )}
      </td>
      <td className={`${wide} ${right}`}>
        <PauseButton what={{ factory: name }} name={name} isSmall />
      </td>
    </tr>
  );
}

/** Runs that have not ended, each kind with the way to its list. */
function OpenRuns({ uid, activity }: { uid: string; activity: Activity }) {
  const kinds = [
    { count: activity.runs_in_progress, word: "in progress", state: "CLAIMED,INPROGRESS" },
    { count: activity.runs_waiting, word: "waiting", state: "QUEUED" },
    { count: activity.runs_waiting_for_runs, word: "waiting for agents", state: "INPROGRESS" },
    { count: activity.runs_blocked, word: "blocked", state: "BLOCKED" },
  ].filter(({ count }) => count > 0);
  if (kinds.length === 0) return "none open";
  return kinds.map(({ count, word, state }, place) => (
    <span key={word}>
      {place > 0 && ", "}
      <Link href={`/runs?${new URLSearchParams({ factory_uid: uid, state })}`}>
        {count.toLocaleString()} {word}
      </Link>
    </span>
  ));
}

function Count({ count, what, href }: { count: number; what: string; href: string }) {
  if (count === 0) return <span className={muted}>0</span>;
  return (
    <Link href={href} className={styles.count} aria-label={`${count} ${what}`} title={what}>
      {count.toLocaleString()}
    </Link>
  );
}

/** The hours that were counted: the one that goes on, and those before it. */
function lastDay() {
  const hour = 3_600_000;
  const until = Math.floor(Date.now() / hour) * hour + hour;
  return { since: new Date(until - 24 * hour).toISOString(), until: new Date(until).toISOString() };
}
