import type { Task, TaskStage } from "../../api/models.ts";
import { moveTask } from "../../api/move-task.ts";
import { queryClient } from "../../api/query-client.ts";
import { STAGES } from "../../api/task-stages.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Choice } from "../../parts/forms/choice.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { STAGE_WORDS } from "../../parts/runs/stage-words.ts";
import { Switcher } from "../../parts/switcher.tsx";
import { useAction } from "../../parts/use-action.ts";
import { useNarrow } from "../../parts/use-narrow.ts";

const OPTIONS = STAGES.map((value) => ({ value, label: STAGE_WORDS[value] }));

/** The stage of a task, for who may change it. */
export function StageControl({ task }: { task: Task }) {
  const mayMove = useMay("operator");
  const isNarrow = useNarrow();
  const move = useAction<TaskStage | undefined, TaskStage>({
    send: (_, stage) => moveTask(task, stage),
    onDone: (other) => {
      if (other !== undefined) announce(`Someone else moved the task to ${STAGE_WORDS[other]}.`);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["tasks"] }),
  });
  if (!mayMove) return null;
  const control = {
    label: "Stage",
    value: move.sending ?? task.stage,
    options: OPTIONS,
    onChange: (stage: string) => stage !== task.stage && move.run(stage as TaskStage),
  };
  return (
    <>
      {isNarrow ? <Choice {...control} /> : <Switcher {...control} />}
      {move.error && <ProblemNotice error={move.error} />}
    </>
  );
}
