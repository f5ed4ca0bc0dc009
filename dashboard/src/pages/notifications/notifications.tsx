import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { itemsOf } from "../../api/pages.ts";
import { Chip } from "../../parts/chip.tsx";
import { Choice } from "../../parts/forms/field.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { AttemptNotes } from "../../parts/sending/attempt-notes.tsx";
import { SENDING_TONES, SENDING_WORDS } from "../../parts/sending/sending-states.ts";
import { DataTable, main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { LoadMore } from "../../parts/tables/load-more.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { EVENT_WORDS, notificationFiltersOf } from "./notification-filters.ts";
import { LOOK_EVERY_MS, notificationsQuery, targetsQuery } from "./notification-queries.ts";
import styles from "./notifications.module.css";
import { TargetTable } from "./target-table.tsx";

const COLUMNS = [
  { title: "State" },
  { title: "Notification" },
  { title: "Target", isWide: true },
  { title: "Attempts", isWide: true, isRight: true },
  { title: "Time", isRight: true },
];

const EXAMPLE = `notifications:
  - name: ops
    kind: webhook
    url: https://hooks.example.com/millrace
    secret: { env: OPS_WEBHOOK_SECRET }
    events: [run.blocked, run.failed, factory.failed, webhook.refusing, budget.reached, provider.limit]`;

/** What was sent to whom, and what waits to be sent. */
export function Notifications() {
  const targets = useQuery(targetsQuery);
  const [search] = useSearchParams();
  const query = useInfiniteQuery({
    ...notificationsQuery(notificationFiltersOf(search)),
    refetchInterval: LOOK_EVERY_MS,
  });
  const { data, error, isPending } = query;
  const notifications = itemsOf(data);
  return (
    <Page
      title="Notifications"
      lead="Messages about blocked and failed runs, definitions that were not applied, and webhooks that reject every delivery."
    >
      <Section title="Targets" isFlush>
        <Loaded query={targets}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState title="There are no targets" command={EXAMPLE}>
                Add targets under notifications: in millrace.yaml, or under millrace: notify: in factory.yaml.
              </EmptyState>
            ) : (
              <TargetTable targets={all} />
            )
          }
        </Loaded>
      </Section>
      <Filters targets={targets.data ?? []} />
      {error && <ProblemNotice error={error} onRetry={() => void query.refetch()} />}
      <Section title="Sent and waiting" isFlush>
        {isPending && <Skeleton rows={6} />}
        {data && notifications.length === 0 && (
          <EmptyState title="There are no notifications">
            {search.size > 0
              ? "No notification matches these filters."
              : "Notifications of the last 30 days are listed here."}
          </EmptyState>
        )}
        {notifications.length > 0 && (
          <DataTable label="Notifications" columns={COLUMNS}>
            {notifications.map((notification) => (
              <NotificationRow key={notification.id} notification={notification} />
            ))}
          </DataTable>
        )}
        {notifications.length > 0 && <LoadMore query={query} />}
      </Section>
    </Page>
  );
}

interface FiltersProps {
  targets: readonly { id: string; name: string; factory: string | null }[];
}

/** What is chosen stands in the address, to be sent to someone or come back to. */
function Filters({ targets }: FiltersProps) {
  const [search, setSearch] = useSearchParams();
  const choice = (name: string) => ({
    value: search.get(name) ?? "",
    onChange: (value: string) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === "") next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
  });
  const any = { value: "", label: "Any" };
  return (
    <search aria-label="Filters">
      <div className={styles.filters}>
        <Choice label="State" {...choice("state")} options={[any, ...optionsOf(SENDING_WORDS)]} />
        <Choice label="Event" {...choice("event")} options={[any, ...optionsOf(EVENT_WORDS)]} />
        {targets.length > 1 && (
          <Choice
            label="Target"
            {...choice("target")}
            options={[
              any,
              ...targets.map(({ id, name, factory }) => ({
                value: id,
                label: factory === null ? name : `${name} (${factory})`,
              })),
            ]}
          />
        )}
      </div>
    </search>
  );
}

function optionsOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** One notification: how it stands, what it says, and where it goes. */
export function NotificationRow({ notification }: { notification: Models["Notification"] }) {
  const { state, event, summary, run_id, target, target_name, attempts, last_error } = notification;
  const { created_at, next_attempt_at } = notification;
  return (
    <tr>
      <td>
        <Chip tone={SENDING_TONES[state]}>{SENDING_WORDS[state]}</Chip>
      </td>
      <td className={main}>
        {run_id === null ? summary : <Link href={`/runs/${run_id}`}>{summary}</Link>}
        <div className={muted}>{EVENT_WORDS[event]}</div>
        <AttemptNotes
          lastError={last_error}
          nextAttemptAt={state === "waiting" && attempts > 0 ? next_attempt_at : null}
        />
      </td>
      <td className={`${wide} ${muted}`}>{target_name ?? target}</td>
      <td className={`${wide} ${right} ${muted}`}>{attempts}</td>
      <td className={`${right} ${muted}`}>
        <RelativeTime at={created_at} />
      </td>
    </tr>
  );
}
