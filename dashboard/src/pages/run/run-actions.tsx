import { useState } from "react";
import { useLocation } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import type { Run } from "../../api/models.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { RunAgain } from "../../parts/runs/run-again.tsx";
import { CancelRun } from "./family/cancel-run.tsx";

/** What can be done with a run as it stands, by who may. How a failed one is run again, is said with its failure. */
export function RunActions({ run }: { run: Run }) {
  const mayOperate = useMay("operator");
  if (!mayOperate) return null;
  return (
    <>
      {(run.state === "SUCCEEDED" || run.state === "CANCELLED") && <RunAgain run={run} />}
      {!hasEnded(run.state) && run.state !== "BLOCKED" && <CancelRun run={run} />}
      {run.state === "BLOCKED" && <DismissRun run={run} />}
      <DeleteRun run={run} />
    </>
  );
}

/** Deletes a run that has ended, after it was said what goes with it. */
function DeleteRun({ run }: { run: Models["RunItem"] }) {
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

/** Ends a run that waits for an answer, instead of answering it. */
function DismissRun({ run: { run_id } }: { run: Models["RunItem"] }) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const send = async () => {
    const given = reason.trim();
    const { state } = await millrace.runs.dismiss(run_id, given === "" ? {} : { reason: given });
    announce(state === "CANCELLED" ? "Dismissed the run." : "Dismissing the run.");
    await queryClient.invalidateQueries({ queryKey: ["run", run_id] });
  };
  return (
    <>
      <Button kind="danger" onPress={() => setOpen(true)}>
        Dismiss
      </Button>
      {isOpen && (
        <FormDialog
          title="Dismiss this run?"
          action="Dismiss run"
          isComplete
          onSend={send}
          onClose={() => setOpen(false)}
        >
          <p>
            The run ends as CANCELLED, and its agent is not started again. Its output and files are retained.
          </p>
          <Field
            label="Reason (optional)"
            value={reason}
            onChange={setReason}
            hint="At most 1,000 characters. Readers of the run can see it."
          />
        </FormDialog>
      )}
    </>
  );
}
