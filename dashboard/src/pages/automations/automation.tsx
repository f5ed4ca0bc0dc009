import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { automationQuery, latestRunsQuery } from "../../api/queries.ts";
import { DeleteFiles } from "../../editor/delete-files.tsx";
import { PauseButton } from "../../frame/pause-button.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Page, Section } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { EnabledChip } from "../../parts/tables/cells.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { RunTable } from "../../parts/tables/run-table.tsx";
import { ScrollText } from "../../parts/text/scroll-text.tsx";
import styles from "./automation.module.css";
import { AutomationFacts } from "./automation-facts.tsx";
import { FilterTest } from "./filter-test.tsx";
import { triggerText } from "./trigger-text.ts";

/** One automation: what starts it, what its agent is asked, and what it has started. */
export function Automation() {
  const { factory: name = "", name: automationName = "" } = useParams<{ factory: string; name: string }>();
  const { factory } = useFactory();
  const mayEdit = useMayEdit(factory) && factory;
  const query = useQuery(automationQuery(name, automationName));
  return (
    <Loaded query={query} rows={6} title="Automation">
      {(automation) => (
        <Page
          title={automation.name}
          mark={<EnabledChip enabled={automation.enabled} />}
          destructive={
            mayEdit && (
              <DeleteAutomation factory={mayEdit} name={automation.name} path={automation.defined_in.path} />
            )
          }
          actions={
            <>
              {!mayEdit && (
                <ButtonLink href={factoryPath(name, "automations", automation.name, "try")}>
                  Try a filter
                </ButtonLink>
              )}
              <PauseButton what={{ factory: name, automation: automation.uid }} name={automation.name} />
              {mayEdit && (
                <ButtonLink kind="main" href={factoryPath(name, "automations", automation.name, "edit")}>
                  Edit
                </ButtonLink>
              )}
            </>
          }
        >
          <ReadOnlyNote factory={factory} path={automation.defined_in.path} />
          <AutomationFacts factory={name} automation={automation} />
          {automation.triggers.map((trigger) => (
            <Trigger key={JSON.stringify(trigger)} factory={name} trigger={trigger} />
          ))}
          <Section title="Prompt">
            <ScrollText
              label="Prompt text"
              text={automation.prompt || "(empty: only the agent's own prompt is used)"}
            />
          </Section>
          <StartedRuns uid={automation.uid} />
        </Page>
      )}
    </Loaded>
  );
}

function Trigger({ factory, trigger }: { factory: string; trigger: Models["AutomationTrigger"] }) {
  const { provider, webhooks = [], payload, filter } = trigger;
  const pattern = payload ?? filter;
  return (
    <Section title={`Started by ${triggerText(trigger)}`}>
      <div className={styles.trigger}>
        {webhooks.length > 0 && (
          <p>
            Webhooks:{" "}
            {webhooks.map(({ uid, name }, place) => (
              <span key={uid ?? name}>
                {place > 0 && ", "}
                {uid === null ? (
                  <>{name} (not found)</>
                ) : (
                  <Link href={factoryPath(factory, "webhooks", uid)}>{name ?? uid}</Link>
                )}
              </span>
            ))}
          </p>
        )}
        {pattern && Object.keys(pattern).length > 0 ? (
          <div>
            <h3>{provider === "webhook" ? "Payload filter" : "Filter"}</h3>
            <ScrollText label="Filter" text={JSON.stringify(pattern, null, 2)} />
          </div>
        ) : (
          provider === "webhook" && (
            <p className={styles.muted}>Without a payload filter, every delivery starts a run.</p>
          )
        )}
        {provider === "webhook" && <FilterTest factory={factory} trigger={trigger} />}
        {provider === "factory" && (
          <p className={styles.muted}>
            To test this filter, add a test with an event to the folder <code>tests</code> of the automation.
          </p>
        )}
      </div>
    </Section>
  );
}

function StartedRuns({ uid }: { uid: string }) {
  const runs = useQuery(latestRunsQuery({ automation_id: uid, limit: 10, sort_by: "created_at" }));
  return (
    <Section title="Runs" isFlush aside={<Link href={`/runs?automation_id=${uid}`}>View all</Link>}>
      <Loaded query={runs}>
        {(items) =>
          items.length > 0 ? (
            <RunTable runs={items} label="Runs" />
          ) : (
            <EmptyState title="No runs yet">
              Test the filter against a stored delivery to see whether it would trigger.
            </EmptyState>
          )
        }
      </Loaded>
    </Section>
  );
}

interface DeleteAutomationProps {
  factory: Models["Factory"];
  name: string;
  path: string;
}

/** Deletes an automation with its tests, after saying what it has been doing. */
export function DeleteAutomation({ factory, name, path }: DeleteAutomationProps) {
  return (
    <DeleteFiles
      factory={factory}
      what={`automation ${name}`}
      name={name}
      isPart={(each) => each === path || each.startsWith(`automations/${name}/tests/`)}
      leaveTo={factoryPath(factory.name, "automations")}
      consequences={(plan) => <p>{workText(plan, name)}</p>}
    />
  );
}

function workText({ traffic }: Models["Plan"], name: string): string {
  const runs = traffic?.automations.find((each) => each.name === name)?.before ?? 0;
  const work =
    runs === 0
      ? "No delivery from the last 7 days would have triggered it"
      : `Of the deliveries from the last 7 days, ${runs} would have triggered it`;
  return `${work}. After deletion, it will not start any more runs. Runs in progress continue, and past runs are retained.`;
}
