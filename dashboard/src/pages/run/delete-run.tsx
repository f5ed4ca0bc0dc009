import { useState } from "react";
import { useLocation } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { hasEnded } from "../../parts/runs/has-ended.ts";

/** Deletes a run that has ended, after it was said what goes with it. */
export function DeleteRun({ run }: { run: Models["RunItem"] }) {
  const mayAdminister = useMay("admin");
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  if (!mayAdminister || !hasEnded(run.state)) return null;
  const remove = async () => {
    await millrace.runs.delete(run.run_id);
    announce("Deleted the run.");
    navigate("/runs");
    queryClient.removeQueries({ queryKey: ["run", run.run_id] });
    await queryClient.invalidateQueries({ queryKey: ["runs"] });
  };
  const artifacts = run.artifacts?.length ?? 0;
  return (
    <>
      <Button kind="danger" onPress={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title="Delete this run?"
        action="Delete run"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={remove}
      >
        <p>
          This deletes the run with its transcript, timeline, messages, attachments and workspace
          {artifacts > 0 && `, and its ${counted(artifacts, "artifact")}`}. It cannot be undone.
        </p>
        <p>
          The delivery that started the run and the audit log are retained. Changes that the agent made
          outside its workspace are not undone.
        </p>
      </ConfirmDialog>
    </>
  );
}
