import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { millrace } from "../../api/client.ts";
import type { Task } from "../../api/models.ts";
import { queryClient } from "../../api/query-client.ts";
import { taskRunsQuery } from "../../api/task-queries.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { hasEnded } from "../../parts/runs/has-ended.ts";

/** Ends a task and all its runs, after it was said how many these are. */
export function CancelTask({ task }: { task: Task }) {
  const mayOperate = useMay("operator");
  const { data: runs } = useQuery(taskRunsQuery(task.factory_uid, task.uid));
  const [isOpen, setOpen] = useState(false);
  const open = (runs ?? []).filter(({ state }) => !hasEnded(state));
  const isOver = (task.stage === "CANCELLED" || task.stage === "COMPLETE") && open.length === 0;
  if (!mayOperate || isOver) return null;
  const blocked = open.filter(({ state }) => state === "BLOCKED").length;
  const cancel = async () => {
    await millrace.tasks.cancel(task.factory_uid, task.uid);
    announce("Cancelled the task.");
    await Promise.all(
      ["tasks", "run", "runs"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
    );
  };
  return (
    <>
      <Button kind="danger" onPress={() => setOpen(true)}>
        Cancel task
      </Button>
      <ConfirmDialog
        title="Cancel this task?"
        action="Cancel task"
        isOpen={isOpen}
        isReady={runs !== undefined}
        onClose={() => setOpen(false)}
        onConfirm={cancel}
      >
        <p>
          The task moves to Cancelled.{" "}
          {open.length === 0
            ? "None of its runs is still open."
            : `This ends ${counted(open.length, "run")} that ${open.length === 1 ? "has" : "have"} not ended${
                blocked > 0 ? `, of which ${blocked} ${blocked === 1 ? "waits" : "wait"} for an answer` : ""
              }.`}
        </p>
        <p>
          Output and files of the runs are retained. Changes that agents made outside their workspaces are not
          undone.
        </p>
      </ConfirmDialog>
    </>
  );
}
