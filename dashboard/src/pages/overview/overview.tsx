import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { factoriesQuery, latestRunsQuery } from "../../api/queries.ts";
import { PauseButton } from "../../frame/pause-button.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { RunTable } from "../../parts/tables/run-table.tsx";
import { Activity } from "./activity.tsx";
import { FactoryHealth } from "./factory-health.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { NeedsAPerson } from "./needs-a-person.tsx";
import { RestingFactories } from "./resting-factories.tsx";

const LATEST_RUNS = { limit: 8, sort_by: "created_at" } as const;

/** Everything at a glance: what needs a person first, then how each factory stands and what has been going on. */
export function Overview() {
  const factories = useQuery(factoriesQuery);
  const runs = useQuery(latestRunsQuery(LATEST_RUNS));
  return (
    <Page title="Overview" actions={<PauseButton what={{}} name="the server" />}>
      <NeedsAPerson factories={factories.data ?? []} />
      <FirstSteps factories={factories.data} />
      <Loaded query={factories}>{(all) => all.length > 0 && <FactoryHealth factories={all} />}</Loaded>
      <Activity />
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
      <RestingFactories />
    </Page>
  );
}
