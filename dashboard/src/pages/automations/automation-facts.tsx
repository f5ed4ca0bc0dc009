import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { automationActivityQuery } from "../../api/activity-queries.ts";
import type { Models } from "../../api/models.ts";
import { BudgetFact } from "../../parts/budget-fact.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Fact, Facts } from "../../parts/facts.tsx";
import { Section } from "../../parts/page.tsx";
import { LastRun, SuccessRate } from "../../parts/runs/run-summary.tsx";
import { Sparkline } from "../../parts/sparkline.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";

interface AutomationFactsProps {
  factory: string;
  automation: Models["Automation"];
}

/** Whose work it is, how it went, and when it starts by the clock. */
export function AutomationFacts({ factory, automation }: AutomationFactsProps) {
  const { data } = useQuery(automationActivityQuery(factory, automation.uid));
  const activity = data?.[0];
  const isScheduled = automation.triggers.some(({ provider }) => provider === "schedule");
  const { delivery_id: delivery, webhook_uid: webhook } = activity?.last_run ?? {};
  return (
    <Section title="About">
      <Facts>
        <Fact name="Agent">{automation.agent}</Fact>
        <Fact name="Last run">
          <LastRun summary={activity} />
        </Fact>
        <Fact name="Success rate">
          <SuccessRate summary={activity} />
        </Fact>
        <Fact name="Runs, 24 hours">
          {activity && (
            <Sparkline counts={activity.runs} failed={activity.runs_failed} what="Runs" failing="failed" />
          )}
        </Fact>
        {delivery && webhook && (
          <Fact name="Last delivery">
            <Link href={`${factoryPath(factory, "webhooks", webhook)}?delivery=${delivery}`}>
              {delivery.slice(0, 8)}
            </Link>
          </Fact>
        )}
        {activity && activity.starts_refused > 0 && (
          <Fact name="Refused starts, 24 hours">
            {activity.starts_refused} (limit on automations that start each other)
          </Fact>
        )}
        {automation.budget && <BudgetFact budget={automation.budget} />}
        {isScheduled && (
          <Fact name="Next run">
            {automation.next_fire_at === null ? "never" : <RelativeTime at={automation.next_fire_at} />}
          </Fact>
        )}
        <Fact name="Updated">
          <RelativeTime at={automation.updated_at} />
        </Fact>
      </Facts>
    </Section>
  );
}
