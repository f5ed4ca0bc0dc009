import type { TaskStage } from "../../api/models.ts";
import { STAGES } from "../../api/task-stages.ts";
import { Choice } from "../../parts/forms/choice.tsx";
import { STAGE_WORDS } from "../../parts/runs/stage-words.ts";
import type { Card } from "./cards.ts";

interface StageSwitchProps {
  stage: TaskStage;
  cardsIn: (stage: TaskStage) => readonly Card[];
  onChange: (stage: TaskStage) => void;
}

/** Chooses the column that a phone shows, with how many tasks are in each. */
export function StageSwitch({ stage, cardsIn, onChange }: StageSwitchProps) {
  const options = STAGES.map((value) => {
    const cards = cardsIn(value);
    const blocked = cards.filter(({ isBlocked }) => isBlocked).length;
    const counts = `${cards.length}${blocked > 0 ? `, ${blocked} blocked` : ""}`;
    return { value, label: `${STAGE_WORDS[value]} (${counts})` };
  });
  return (
    <Choice
      label="Stage"
      value={stage}
      onChange={(value) => onChange(value as TaskStage)}
      options={options}
    />
  );
}
