import { useQuery } from "@tanstack/react-query";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { announce } from "../../parts/announcer.tsx";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { PlanResult } from "./plan-result.tsx";
import styles from "./revisions.module.css";

interface RollBackProps {
  factory: Models["Factory"];
  /** The revision to go back to. */
  target: Models["Revision"];
  onClose: () => void;
}

/** Brings an earlier revision into force again, after what that changes was shown. */
export function RollBack({ factory, target, onClose }: RollBackProps) {
  const { name, sync } = factory;
  const { revision, message } = target;
  const plan = useQuery({
    queryKey: ["rollback-plan", name, revision, sync.applied_revision],
    queryFn: () => millrace.factories.plan(name, { revision }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <ConfirmDialog
      title={`Roll ${name} back to ${revision.slice(0, 10)}?`}
      action="Roll back"
      isOpen
      isReady={!plan.isLoading && plan.data?.applicable !== false}
      onClose={onClose}
      onConfirm={async () => {
        await millrace.factories.rollback(name, revision);
        announce(`Rolled back and suspended ${name}.`);
        for (const key of ["factories", "revisions", "webhooks", "automations"]) {
          await queryClient.invalidateQueries({ queryKey: [key] });
        }
      }}
    >
      <div className={styles.rollback}>
        <p>
          {message?.split("\n")[0]} becomes active again immediately. The factory is also suspended: new
          commits are not applied until it is resumed.
        </p>
        <Loaded query={plan}>{(found) => <PlanResult plan={found} factory={factory} />}</Loaded>
      </div>
    </ConfirmDialog>
  );
}
