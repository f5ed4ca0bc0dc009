import { useState } from "react";
import { useLocation } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { hasEnded } from "../../parts/tones.ts";
import { type Once, useAction } from "../../parts/use-action.ts";
import { DeleteRun } from "./delete-run.tsx";
import { DismissRun } from "./dismiss-run.tsx";

type Run = Models["RunItem"];

/** What can be done with a run as it stands, by who may. */
export function RunActions({ run }: { run: Run }) {
  const mayOperate = useMay("operator");
  const [, navigate] = useLocation();
  const [isCancelling, setCancelling] = useState(false);
  const again = useAction({
    send: (once) => startAgain(run, once),
    onDone: (id) => {
      announce("Started a new run.");
      if (id !== undefined) navigate(`/runs/${id}`);
    },
  });
  if (!mayOperate) return null;
  return (
    <>
      {again.error && <ProblemNotice error={again.error} />}
      {hasEnded(run.state) && (
        <Button onPress={() => again.run()} isPending={again.isPending}>
          Run again
        </Button>
      )}
      <DeleteRun run={run} />
      {!hasEnded(run.state) && run.state !== "BLOCKED" && (
        <Button kind="danger" onPress={() => setCancelling(true)}>
          Cancel
        </Button>
      )}
      {run.state === "BLOCKED" && <DismissRun run={run} />}
      <ConfirmDialog
        title="Cancel this run?"
        action="Cancel run"
        isOpen={isCancelling}
        onClose={() => setCancelling(false)}
        onConfirm={() => cancel(run)}
      >
        <p>
          The agent is stopped immediately. Its output and the files in artifacts/ are retained. Changes made
          outside its workspace are not undone.
        </p>
      </ConfirmDialog>
    </>
  );
}

async function cancel({ run_id }: Run): Promise<void> {
  await millrace.runs.cancel(run_id);
  announce("Cancelling the run.");
  await queryClient.invalidateQueries({ queryKey: ["run", run_id] });
}

/**
 * What a delivery has started is started by that delivery again, by the active definition; the rest by its own request.
 */
async function startAgain(run: Run, once: Once): Promise<string | undefined> {
  const { delivery_id, factory_uid, automation_id } = run;
  if (delivery_id !== undefined && factory_uid !== undefined) {
    const { run_ids } = await millrace.deliveries.redeliver(factory_uid, delivery_id);
    const started = await Promise.all(run_ids.map((id) => millrace.runs.get(id)));
    return (started.find((each) => each.automation_id === automation_id) ?? started[0])?.run_id;
  }
  const request = {
    prompt: run.submitted_prompt ?? run.prompt,
    title: run.title,
    config: run.agent_config,
  };
  const { run_id } = await millrace.runs.create(request, once);
  return run_id;
}
