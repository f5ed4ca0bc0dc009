import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { activityQuery, factoriesQuery, latestRunsQuery } from "../../api/queries.ts";
import { PauseButton } from "../../frame/pause-button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { RunTable } from "../../parts/run-table.tsx";
import { ActivityChart } from "./activity-chart.tsx";
import { FactoryCard } from "./factory-card.tsx";
import { NeedsAPerson } from "./needs-a-person.tsx";
import { RestingFactories } from "./resting-factories.tsx";

const LATEST_RUNS = { limit: 5, sort_by: "created_at" } as const;

/** Everything at a glance: what needs a person first, then what has been going on. */
export function Overview() {
  const factories = useQuery(factoriesQuery);
  const activity = useQuery(activityQuery(undefined));
  const runs = useQuery(latestRunsQuery(LATEST_RUNS));
  return (
    <Page title="Overview" actions={<PauseButton what={{}} name="the server" />}>
      <NeedsAPerson factories={factories.data ?? []} />
      <Loaded query={factories}>
        {(all) => all.map((factory) => <FactoryCard key={factory.uid} factory={factory} />)}
      </Loaded>
      <RestingFactories />
      <Section title="The last 24 hours">
        <Loaded query={activity} rows={5}>
          {(hours) => <ActivityChart hours={hours} />}
        </Loaded>
      </Section>
      <Section title="Latest runs" isFlush aside={<Link href="/runs">All runs</Link>}>
        <Loaded query={runs}>
          {(items) =>
            items.length > 0 ? (
              <RunTable runs={items} label="Latest runs" />
            ) : (
              <EmptyState title="No runs yet">
                A run starts when a delivery passes an automation's filter. Post a delivery to a webhook, or
                send a test delivery from the webhook's page.
              </EmptyState>
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}
