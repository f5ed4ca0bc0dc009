import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../api/client.ts";
import { pausesQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { useMay, useMayForServer } from "./use-role.ts";

interface PauseButtonProps {
  /** What to pause; empty for the server. */
  what: Pick<Models["NewPause"], "factory" | "webhook" | "automation">;
  /** How the window names it. */
  name: string;
}

/** Pauses something after a reason was asked for. It is not there while that is paused, or for who may not. */
export function PauseButton({ what, name }: PauseButtonProps) {
  const { data: pauses = [] } = useQuery(pausesQuery);
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const mayOperate = useMay("operator");
  const mayForServer = useMayForServer("operator");
  // Beside the buttons of its factories, only the name says what a button of the server pauses.
  const isServer = what.factory === undefined;
  const may = isServer ? mayForServer : mayOperate;
  if (!may || pauses.some((pause) => isOf(pause, what))) return null;
  const close = () => {
    setOpen(false);
    setReason("");
  };
  const pause = async () => {
    await millrace.pauses.create({
      ...what,
      ...(reason.trim() ? { reason: reason.trim() } : {}),
    });
    await queryClient.invalidateQueries({ queryKey: pausesQuery.queryKey });
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>{isServer ? "Pause the server" : "Pause"}</Button>
      {isOpen && (
        <FormDialog title={`Pause ${name}?`} action="Pause" isComplete onSend={pause} onClose={close}>
          <p>
            Deliveries are still recorded, but the runs that they start wait until you unpause. Runs in
            progress continue. Schedules that come due during the pause count as missed.
          </p>
          <Field
            label="Reason"
            hint="Optional. Shown on every page."
            value={reason}
            onChange={setReason}
            maxLength={500}
          />
        </FormDialog>
      )}
    </>
  );
}

function isOf(pause: Models["Pause"], { factory, webhook, automation }: PauseButtonProps["what"]): boolean {
  if (webhook !== undefined) return pause.webhook_uid === webhook;
  if (automation !== undefined) return pause.automation_id === automation;
  if (factory !== undefined) return pause.scope === "factory" && pause.factory === factory;
  return pause.scope === "server";
}
