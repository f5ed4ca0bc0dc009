import { useQuery } from "@tanstack/react-query";
import { webhookDetailsQuery } from "../../api/activity-queries.ts";
import type { Models } from "../../api/models.ts";
import { Chip } from "../../parts/chip.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { Section } from "../../parts/page.tsx";
import { LastRun, SuccessRate } from "../../parts/runs/run-summary.tsx";
import { DataTable, right } from "../../parts/tables/data-table.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { OUTCOME_TONES } from "../../parts/tones.ts";
import { DeliverySparkline } from "./delivery-sparkline.tsx";
import styles from "./webhook-activity.module.css";

type Activity = Models["WebhookActivity"];

/** How a webhook is doing: what came last, what came in a day, what was refused, and how the runs went. */
export function WebhookActivity({ webhook }: { webhook: Models["Webhook"] }) {
  const query = useQuery(webhookDetailsQuery(webhook.factory, webhook.uid));
  return (
    <Section title="Activity">
      <Loaded query={query} rows={2}>
        {([activity]) => activity && <Shown webhook={webhook} activity={activity} />}
      </Loaded>
    </Section>
  );
}

function Shown({ webhook, activity }: { webhook: Models["Webhook"]; activity: Activity }) {
  const [last] = activity.latest;
  return (
    <div className={styles.activity}>
      {activity.refuses_all && <RefusesAll reason={last?.reason} />}
      <Facts>
        <Fact name="Last delivery">
          {last ? (
            <>
              <Chip tone={OUTCOME_TONES[last.outcome]}>{last.outcome}</Chip> <RelativeTime at={last.time} />
            </>
          ) : (
            "none"
          )}
        </Fact>
        <Fact name="Deliveries, 24 hours">
          {activity.hours && <DeliverySparkline hours={activity.hours} />}
        </Fact>
        <Fact name="Last run">
          <LastRun summary={activity} />
        </Fact>
        <Fact name="Success rate">
          <SuccessRate summary={activity} />
        </Fact>
        {webhook.dropped.length > 0 && (
          <Fact name="Refused without a record, 24 h">{droppedText(activity.dropped)}</Fact>
        )}
      </Facts>
      {webhook.dropped.length > 0 && <DroppedByHour dropped={webhook.dropped} />}
    </div>
  );
}

function RefusesAll({ reason }: { reason: Activity["latest"][number]["reason"] | undefined }) {
  return (
    <p>
      <Chip tone="red">Refuses all</Chip> The last 20 deliveries arrived within an hour, and all of them were
      rejected.{reason && ` The last reason: ${reason}.`} Check the secret and the authentication settings on
      both sides.
    </p>
  );
}

function DroppedByHour({ dropped }: { dropped: Models["Webhook"]["dropped"] }) {
  return (
    <details>
      <summary>Refused without a record, by hour</summary>
      <DataTable
        label="Deliveries refused without a record, by hour"
        columns={[
          { title: "Hour" },
          { title: "Over budget", isRight: true },
          { title: "Blocked address", isRight: true },
        ]}
      >
        {dropped.toReversed().map(({ hour, over_budget, blocked }) => (
          <tr key={hour}>
            <td>{hourText(hour)}</td>
            <td className={right}>{over_budget.toLocaleString()}</td>
            <td className={right}>{blocked.toLocaleString()}</td>
          </tr>
        ))}
      </DataTable>
    </details>
  );
}

const hourFormat = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
});

function hourText(hour: string): string {
  return hourFormat.format(new Date(hour));
}

function droppedText({ over_budget, blocked }: Activity["dropped"]): string {
  return `${over_budget.toLocaleString()} beyond the budget, ${blocked.toLocaleString()} from blocked addresses`;
}
