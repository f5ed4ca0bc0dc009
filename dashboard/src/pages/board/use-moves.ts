import { useRef, useState } from "react";
import type { Task, TaskStage } from "../../api/models.ts";
import { moveTask } from "../../api/move-task.ts";
import { queryClient } from "../../api/query-client.ts";
import { announce } from "../../parts/announcer.tsx";
import { STAGE_WORDS } from "../../parts/runs/stage-words.ts";

/** Tasks that are on their way to another stage. */
export interface Moves {
  /** Where each is shown until the server has answered. */
  stages: ReadonlyMap<string, TaskStage>;
  /** Why the last move was not made. */
  refusal: { error: unknown } | { text: string } | undefined;
  move(task: Task, stage: TaskStage): Promise<void>;
}

/** Moves tasks: each is shown in its new stage at once, and in its own again when it could not be moved. */
export function useMoves(): Moves {
  const [stages, setStages] = useState<ReadonlyMap<string, TaskStage>>(new Map());
  const [refusal, setRefusal] = useState<Moves["refusal"]>();
  // A second drop can come before the page is drawn again.
  const underWay = useRef(new Set<string>());
  return {
    stages,
    refusal,
    async move(task, stage) {
      if (stage === task.stage || underWay.current.has(task.uid)) return;
      underWay.current.add(task.uid);
      setRefusal(undefined);
      setStages((before) => new Map(before).set(task.uid, stage));
      try {
        const other = await moveTask(task, stage);
        if (other === undefined) announce(`Moved “${task.title}” to ${STAGE_WORDS[stage]}.`);
        else setRefusal({ text: `“${task.title}” was moved to ${STAGE_WORDS[other]} by someone else.` });
      } catch (error) {
        setRefusal({ error });
      }
      // What is shown below the move is what the server has, before the move is forgotten.
      await queryClient.invalidateQueries({ queryKey: ["tasks"] }).catch(() => {});
      underWay.current.delete(task.uid);
      setStages((before) => new Map([...before].filter(([uid]) => uid !== task.uid)));
    },
  };
}
