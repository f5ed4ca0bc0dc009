import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import type { Models, Run } from "../../api/models.ts";
import { noteQuery, runDeliveriesQuery, runQuery } from "../../api/run-queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { counted } from "../../parts/counted.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Fold } from "../../parts/fold.tsx";
import { Page } from "../../parts/page.tsx";
import { RunChip } from "../../parts/runs/run-chip.tsx";
import { waitingText } from "../../parts/runs/waiting-text.ts";
import { DataTable, main, muted, right, roomy } from "../../parts/tables/data-table.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { ScrollText } from "../../parts/text/scroll-text.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { Family } from "./family/family.tsx";
import { ParentNote } from "./family/parent-note.tsx";
import { OpenQuestion } from "./open-question.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunAttachments } from "./run-attachments.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunNetwork } from "./run-network.tsx";
import { RunOrigin } from "./run-origin.tsx";
import styles from "./run-page.module.css";
import { RunResult } from "./run-result.tsx";
import { RunWork } from "./run-work.tsx";
import { Timeline } from "./timeline.tsx";
import { usageText } from "./usage-facts.tsx";

/** One run: how it stands and what has come of it, then how that came, and ways to steer or stop it. */
export function RunPage() {
  const { id = "" } = useParams<{ id: string }>();
  const query = useQuery(runQuery(id));
  return (
    <Loaded query={query} rows={8} title="Run">
      {(run) => (
        <Page
          title={run.title || "Run"}
          mark={<RunMark run={run} />}
          lead={<RunOrigin run={run} />}
          actions={<RunActions run={run} />}
        >
          {run.state === "BLOCKED" && <OpenQuestion key={questionKey(run)} run={run} />}
          <ParentNote run={run} />
          <RunResult run={run} />
          <Family run={run} />
          <RunWork key={id} run={run} />
          <Details run={run} />
        </Page>
      )}
    </Loaded>
  );
}

/** Another question is another form: nothing of the answer to the one before is left in it. */
function questionKey({ run_id, question }: Run): string {
  return `${run_id} ${question?.asked_at}`;
}

/** Its state, and what its agent does or waits for. */
function RunMark({ run }: { run: Run }) {
  const line = waitingText(run) ?? (run.state === "INPROGRESS" ? run.status_line : undefined);
  return (
    <>
      <RunChip state={run.state} />
      {line && <span className={styles.line}>{line}</span>}
    </>
  );
}

/** What few look for. */
function Details({ run }: { run: Run }) {
  return (
    <div className={styles.details}>
      <Fold title="About" about={run.request_usage ? usageText(run.request_usage) : run.run_id}>
        <RunFacts run={run} />
      </Fold>
      <Fold title="Timeline">
        <Timeline runId={run.run_id} />
      </Fold>
      <RunDeliveries run={run} />
      <RunNetwork runId={run.run_id} />
      <RunNote runId={run.run_id} />
      <RunAttachments run={run} />
      <Fold title="Configuration">
        <ScrollText label="Configuration as JSON" text={JSON.stringify(run.agent_config, null, 2)} />
      </Fold>
    </div>
  );
}

/** What a delivery did, in words. */
const WORDS: Readonly<Record<Models["RunDeliveries"]["deliveries"][number]["kind"], string>> = {
  started: "Started the run",
  joined: "Joined the run",
  replaced: "Started the run in place of earlier ones",
  continued: "Continued the run",
  repeated: "Given again",
};

const COLUMNS = [{ title: "Delivery" }, { title: "Effect" }, { title: "Time", isRight: true }];

/** So many are shown. */
const MAX_SHOWN = 100;

/** The deliveries of a run that has several, the newest first; nothing for one that has no more than one. */
export function RunDeliveries({ run }: { run: Run }) {
  const { run_id, delivery_id, factory_uid, webhook_uid: webhook } = run;
  const { data = [] } = useQuery({ ...runDeliveriesQuery(run_id), enabled: Boolean(delivery_id) });
  const { factories } = useFactory();
  const factory = factories.find(({ uid }) => uid === factory_uid)?.name;
  if (data.length < 2) return null;
  const path = factory && webhook && factoryPath(factory, "webhooks", webhook);
  return (
    <Fold title="Deliveries" about={counted(data.length, "delivery", "deliveries")}>
      <DataTable label="Deliveries" columns={COLUMNS}>
        {data
          .slice(-MAX_SHOWN)
          .reverse()
          .map(({ delivery_id: id, kind, time }) => (
            <tr key={id}>
              <td className={main}>{path ? <Link href={`${path}?delivery=${id}`}>{id}</Link> : id}</td>
              <td className={`${muted} ${roomy}`}>{WORDS[kind]}</td>
              <td className={right}>
                <RelativeTime at={time} />
              </td>
            </tr>
          ))}
      </DataTable>
      {data.length > MAX_SHOWN && (
        <p>
          And {data.length - MAX_SHOWN} more: <code>millrace runs deliveries {run_id}</code>
        </p>
      )}
    </Fold>
  );
}

/** The page that the agents of a family share; nothing before one of them has written on it. */
export function RunNote({ runId }: { runId: string }) {
  const { data: note } = useQuery(noteQuery(runId));
  if (!note?.text) return null;
  const about = (
    <>
      {note.updated_by && `by ${note.updated_by} `}
      {note.updated_at && <RelativeTime at={note.updated_at} />}
    </>
  );
  return (
    <Fold title="Note of the family" about={about}>
      <ScrollText label="Note of the family" text={note.text} />
    </Fold>
  );
}
