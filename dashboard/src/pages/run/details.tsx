import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models, Run } from "../../api/models.ts";
import { noteQuery, runDeliveriesQuery } from "../../api/run-queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { counted } from "../../parts/counted.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Fold } from "../../parts/fold.tsx";
import { Section } from "../../parts/page.tsx";
import { DataTable, main, muted, right, roomy } from "../../parts/tables/data-table.tsx";
import { ScrollText } from "../../parts/text/scroll-text.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import styles from "./details.module.css";
import { RunAttachments } from "./run-attachments.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunNetwork } from "./run-network.tsx";

/** All that is known of a run. */
export function Details({ run }: { run: Run }) {
  return (
    <div className={styles.details}>
      <Section title="About">
        <RunFacts run={run} />
      </Section>
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
function RunDeliveries({ run }: { run: Run }) {
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
function RunNote({ runId }: { runId: string }) {
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
