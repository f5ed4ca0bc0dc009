import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { announce } from "../../parts/announcer.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

interface RollBackProps {
  factory: Models["Factory"];
  /** The revision to go back to; nothing while no one asks. */
  target: Models["Revision"] | undefined;
  onClose: () => void;
}

/** Brings an earlier revision into force again. */
export function RollBack({ factory: { name }, target, onClose }: RollBackProps) {
  const revision = target?.revision ?? "";
  return (
    <ConfirmDialog
      title={`Roll ${name} back to ${revision.slice(0, 10)}?`}
      action="Roll back"
      isOpen={target !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        await millrace.factories.rollback(name, revision);
        announce(`Rolled back and suspended ${name}.`);
        for (const key of ["factories", "revisions", "webhooks", "automations"]) {
          await queryClient.invalidateQueries({ queryKey: [key] });
        }
      }}
    >
      <p>
        {target?.message?.split("\n")[0]} becomes active again immediately. The factory is also suspended: new
        commits are not applied until it is resumed.
      </p>
    </ConfirmDialog>
  );
}
