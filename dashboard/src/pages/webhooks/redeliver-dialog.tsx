import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { announce } from "../../parts/announcer.tsx";
import { counted } from "../../parts/counted.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import styles from "./redeliver-dialog.module.css";
import { plannedRuns, type RedeliveryPlan, redeliverAll } from "./redelivery.ts";

type Delivery = Models["Delivery"];

interface RedeliverDialogProps {
  deliveries: readonly Delivery[];
  onClose: () => void;
  /** All of them were redelivered. */
  onDone?: () => void;
}

/** Says what redelivering some deliveries would start, and redelivers them. */
export function RedeliverDialog({ deliveries, onClose, onDone }: RedeliverDialogProps) {
  const plan = useQuery({
    queryKey: ["redelivery-plan", ...deliveries.map(({ delivery_id }) => delivery_id)],
    queryFn: () => plannedRuns(millrace, deliveries),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const sent = ({ started, continued }: { started: number; continued: number }) => {
    const also = continued > 0 ? `, ${counted(continued, "earlier run")} joined or continued` : "";
    announce(`Redelivered ${deliveryCount(deliveries.length)}: ${counted(started, "run")} started${also}.`);
    onDone?.();
    onClose();
  };
  return (
    <FormDialog
      title={`Redeliver ${deliveryCount(deliveries.length)}`}
      action="Redeliver"
      isComplete={plan.data !== undefined}
      onSend={(once) => redeliverAll(millrace, deliveries, once.idempotencyKey)}
      onSent={sent}
      onClose={onClose}
    >
      <Loaded query={plan}>{(found) => <Plan plan={found} isOfOne={deliveries.length === 1} />}</Loaded>
    </FormDialog>
  );
}

interface PlanProps {
  plan: RedeliveryPlan;
  isOfOne: boolean;
}

function Plan({ plan: { automations, runs, idle, unknown, closest }, isOfOne }: PlanProps) {
  const what = isOfOne ? "this delivery starts" : "these deliveries start";
  return (
    <div className={styles.plan}>
      <p>
        Under the active definition, {what} {runs === 0 ? "no runs." : `${counted(runs, "run")}:`}
      </p>
      {automations.length > 0 && (
        <ul>
          {automations.map(({ name, factory, count, isPaused }) => (
            <li key={`${factory}/${name}`}>
              <Link href={factoryPath(factory, "automations", name)}>{name}</Link> in {factory}:{" "}
              {counted(count, "run")}
              {isPaused && " (paused: they wait)"}
            </li>
          ))}
        </ul>
      )}
      {idle > 0 && runs > 0 && <p>{deliveryCount(idle)} of them start nothing.</p>}
      {isOfOne && closest && (
        <p>
          The closest automation is {closest.name}: {closest.reason}
        </p>
      )}
      {unknown > 0 && (
        <p>
          What {deliveryCount(unknown)} would start is not known: the payload was deleted, or the definition
          is not applied.
        </p>
      )}
      <p className={styles.note}>
        Each is recorded as a new delivery. Runs that exist already are not changed, except by automations
        with a concurrency key, which can join, continue or replace them.
      </p>
    </div>
  );
}

const deliveryCount = (count: number) => counted(count, "delivery", "deliveries");
