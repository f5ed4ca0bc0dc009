import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Fact, Facts } from "../../parts/facts.tsx";
import { RerunFacts } from "../../parts/runs/rerun-facts.tsx";
import { Copyable } from "../../parts/text/copyable.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { durationText } from "../../parts/time/time-text.ts";
import { runTimes } from "./run-times.ts";
import { FamilyCostFact, ResourceFacts, UsageFacts } from "./usage-facts.tsx";

/** Where a run came from, and how long it has taken. */
export function RunFacts({ run }: { run: Models["RunItem"] }) {
  const { factories } = useFactory();
  const factory = factories.find(({ uid }) => uid === run.factory_uid);
  const { workedMs, totalMs } = runTimes(run);
  const { started_at, creator, executor, agent_skill, schedule } = run;
  return (
    <Facts>
      <Fact name="Run">
        <Copyable text={run.run_id} what="the run ID" />
      </Fact>
      <Fact name="Started by">{sourceText(run)}</Fact>
      {factory && (
        <Fact name="Factory">
          <Link href={factoryPath(factory.name, "revisions")}>{factory.name}</Link>
        </Fact>
      )}
      {run.delivery_id && factory && run.webhook_uid && (
        <Fact name="Delivery">
          <Link
            href={`${factoryPath(factory.name, "webhooks", run.webhook_uid)}?delivery=${run.delivery_id}`}
          >
            {run.delivery_id}
          </Link>
        </Fact>
      )}
      {run.automation_id && factory && (
        <Fact name="Automation">
          <Link href={factoryPath(factory.name, "automations", run.automation_id)}>
            {run.agent_config?.name ?? run.automation_id}
          </Link>
        </Fact>
      )}
      {schedule && <Fact name="Schedule">{schedule.schedule_name || schedule.cron_schedule}</Fact>}
      {agent_skill && <Fact name="Skill">{agent_skill.name}</Fact>}
      <Fact name="Creator">{creator.display_name ?? creator.uid ?? "—"}</Fact>
      {executor.uid !== creator.uid && (
        <Fact name="Acts as">{executor.display_name ?? executor.uid ?? "—"}</Fact>
      )}
      <Fact name="Created">
        <RelativeTime at={run.created_at} />
      </Fact>
      {started_at && (
        <Fact name="Started">
          <RelativeTime at={started_at} />
        </Fact>
      )}
      {workedMs !== undefined && <Fact name="Took">{durationText(workedMs)}</Fact>}
      {totalMs !== undefined && <Fact name="From start to end">{durationText(totalMs)}</Fact>}
      {run.request_usage && <UsageFacts usage={run.request_usage} />}
      <FamilyCostFact run={run} />
      {run.resources && <ResourceFacts resources={run.resources} />}
      {run.parent_run_id && (
        <Fact name="Started from">
          <Link href={`/runs/${run.parent_run_id}`}>{run.parent_run_id}</Link>
        </Fact>
      )}
      <RerunFacts run={run} />
      {Object.entries(run.metadata).map(([key, value]) => (
        <Fact key={key} name={key}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}

const SOURCES: Readonly<Record<string, string>> = {
  CUSTOM_WEBHOOK: "a delivery",
  GITHUB_WEBHOOK: "a GitHub event",
  SCHEDULED_AGENT: "a schedule",
  API: "an API request",
  CLI: "the command line",
  WEB_APP: "the dashboard",
};

function sourceText({ source }: Models["RunItem"]): string {
  return SOURCES[source] ?? source;
}
