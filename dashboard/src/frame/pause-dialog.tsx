import { useState } from "react";
import { type Models, millrace } from "../api/client.ts";
import { pausesQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { Field } from "../parts/forms/field.tsx";
import { FormDialog } from "../parts/forms/form-dialog.tsx";

interface PauseDialogProps {
  /** What to pause; empty for the server. */
  what: Pick<Models["NewPause"], "factory" | "webhook" | "automation">;
  /** How the window names it. */
  name: string;
  onClose: () => void;
}

/** Asks for the reason of a pause, and pauses. */
export function PauseDialog({ what, name, onClose }: PauseDialogProps) {
  const [reason, setReason] = useState("");
  const pause = async () => {
    await millrace.pauses.create({
      ...what,
      ...(reason.trim() ? { reason: reason.trim() } : {}),
    });
    await queryClient.invalidateQueries({ queryKey: pausesQuery.queryKey });
  };
  return (
    <FormDialog title={`Pause ${name}?`} action="Pause" isComplete onSend={pause} onClose={onClose}>
      <p>
        Deliveries are still recorded, but the runs that they start wait until you unpause. Runs in progress
        continue. Schedules that come due during the pause count as missed.
      </p>
      <Field
        label="Reason"
        hint="Optional. Shown on every page."
        value={reason}
        onChange={setReason}
        maxLength={500}
      />
    </FormDialog>
  );
}
