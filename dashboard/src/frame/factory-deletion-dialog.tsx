import { useQuery } from "@tanstack/react-query";
import { type Models, millrace } from "../api/client.ts";
import { factoryDeletionQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { announce } from "../parts/announcer.tsx";
import { Button } from "../parts/button.tsx";
import { counted } from "../parts/counted.ts";
import { ConfirmDialog } from "../parts/forms/confirm-dialog.tsx";
import { Actions, Dialog } from "../parts/forms/dialog.tsx";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import { Skeleton } from "../parts/tables/skeleton.tsx";
import { inShell } from "../parts/text/in-shell.ts";
import styles from "./factory-deletion-dialog.module.css";

interface FactoryDeletionDialogProps {
  factory: { uid: string; name: string };
  onClose: () => void;
  onDeleted: () => void;
}

/** Shows what goes with a factory, and deletes it once its name was typed. */
export function FactoryDeletionDialog({
  factory: { uid, name },
  onClose,
  onDeleted,
}: FactoryDeletionDialogProps) {
  const plan = useQuery(factoryDeletionQuery(uid));
  const title = `Delete factory ${name}?`;
  if (!plan.data || plan.data.refusal !== null) {
    return (
      <Dialog title={title} isOpen onClose={onClose}>
        {plan.error && <ProblemNotice error={plan.error} />}
        {plan.isPending && <Skeleton rows={3} />}
        {plan.data && <p>{plan.data.refusal}</p>}
        <Actions>
          <Button onPress={onClose}>Close</Button>
        </Actions>
      </Dialog>
    );
  }
  const remove = async () => {
    await millrace.factories.delete(uid);
    announce(`Deleted factory ${name}.`);
    await queryClient.invalidateQueries();
    onDeleted();
  };
  return (
    <ConfirmDialog
      title={title}
      action="Delete factory"
      typed={name}
      isOpen
      onClose={onClose}
      onConfirm={remove}
    >
      <Consequences deletion={plan.data} />
    </ConfirmDialog>
  );
}

function Consequences({ deletion }: { deletion: Models["FactoryDeletion"] }) {
  const { factory, webhooks, automations, waiting_runs, working_runs, schedules } = deletion;
  return (
    <>
      <p>This deletes its history and the following:</p>
      <ul className={styles.consequences}>
        {webhooks.map(({ uid, name, url }) => (
          <li key={uid}>
            Webhook {name}: <code>{url}</code> will return 404
          </li>
        ))}
        {automations.map(({ uid, name }) => (
          <li key={uid}>Automation {name}</li>
        ))}
        {waiting_runs > 0 && <li>{counted(waiting_runs, "queued run")}: cancelled</li>}
        {working_runs > 0 && <li>{counted(working_runs, "run")} in progress: cancelled</li>}
        {schedules > 0 && <li>{counted(schedules, "schedule")} created through the API</li>}
      </ul>
      <p>
        Ended runs, deliveries and secrets are retained.{" "}
        {factory.mode === "managed" ? (
          <>
            Its definition is stored only here. To save it, run{" "}
            <code>millrace export {inShell(factory.name)}</code>.
          </>
        ) : (
          `Its definition remains in ${factory.source.url ?? factory.source.path}.`
        )}
      </p>
    </>
  );
}
