import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { announce } from "../../parts/announcer.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

interface RollBackProps {
  factory: Models["Factory"];
  /** The revision to go back to; nothing while nobody asks. */
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
        announce(`${name} is rolled back and suspended.`);
        for (const key of ["factories", "revisions", "webhooks", "automations"]) {
          await queryClient.invalidateQueries({ queryKey: [key] });
        }
      }}
    >
      <p>
        {target?.message?.split("\n")[0]} comes into force again at once. The factory is suspended with it:
        what is merged meanwhile waits until somebody resumes it.
      </p>
    </ConfirmDialog>
  );
}
