import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";

/** Ends a run that waits for an answer, instead of answering it. */
export function DismissRun({ run: { run_id } }: { run: Models["RunItem"] }) {
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
