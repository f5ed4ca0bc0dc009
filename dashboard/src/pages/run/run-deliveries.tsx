import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models, Run } from "../../api/models.ts";
import { runDeliveriesQuery } from "../../api/run-queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { counted } from "../../parts/counted.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Fold } from "../../parts/fold.tsx";
import { DataTable, main, muted, right, roomy } from "../../parts/tables/data-table.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";

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
