import { useState } from "react";
import { useSearchParams } from "wouter";
import type { TaskStage } from "../../api/models.ts";
import { STAGES } from "../../api/task-stages.ts";
import { useMay } from "../../frame/use-role.ts";
import { Choice } from "../../parts/forms/choice.tsx";
import { STAGE_WORDS } from "../../parts/runs/stage-words.ts";
import { LoadMore } from "../../parts/tables/load-more.tsx";
import { useNarrow } from "../../parts/use-narrow.ts";
import { BoardColumn } from "./board-column.tsx";
import styles from "./board-columns.module.css";
import { withBoardFilter } from "./board-filters.ts";
import type { Card } from "./cards.ts";
import { TaskCard } from "./task-card.tsx";
import type { useBoard } from "./use-board.ts";
import type { Moves } from "./use-moves.ts";

interface BoardColumnsProps {
  board: ReturnType<typeof useBoard>;
  moves: Moves;
  factory: string;
}

/** The columns beside each other; on a phone the one that is chosen. */
export function BoardColumns({ board, moves, factory }: BoardColumnsProps) {
  const isNarrow = useNarrow();
  const [search, setSearch] = useSearchParams();
  const mayMove = useMay("operator");
  const [dragged, setDragged] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const cardsIn = (stage: TaskStage) => board.columns.get(stage) ?? [];
  const draggedCard = [...board.columns.values()].flat().find(({ task }) => task.uid === dragged);
  const asked = search.get("stage");
  const chosen = STAGES.find((stage) => stage === asked) ?? firstWithWork(board.columns);
  const cardFor = (card: Card) => (
    <TaskCard
      key={card.task.uid}
      card={card}
      factory={factory}
      mayMove={mayMove}
      isFocused={focused === card.task.uid}
      onDrag={setDragged}
      onMove={(stage) => {
        setFocused(card.task.uid);
        void moves.move(card.task, stage);
      }}
    />
  );
  const column = (stage: TaskStage) => {
    const query = board.paged.get(stage);
    return (
      <BoardColumn
        key={stage}
        stage={stage}
        cards={cardsIn(stage)}
        hasMore={query?.hasNextPage ?? false}
        takesDrop={draggedCard !== undefined && draggedCard.stage !== stage}
        onDrop={() => {
          setDragged(undefined);
          setFocused(undefined);
          if (draggedCard) void moves.move(draggedCard.task, stage);
        }}
        card={cardFor}
        more={query && <LoadMore query={query} />}
      />
    );
  };
  if (isNarrow) {
    return (
      <>
        <StageSwitch
          stage={chosen}
          cardsIn={cardsIn}
          onChange={(stage) =>
            setSearch((before) => withBoardFilter(before, "stage", stage), { replace: true })
          }
        />
        {column(chosen)}
      </>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className={styles.columns} tabIndex={0} aria-label="Stages">
      {STAGES.map(column)}
    </section>
  );
}

/** What needs a person, else the first stage that has any task. */
function firstWithWork(columns: ReadonlyMap<TaskStage, Card[]>): TaskStage {
  const blocked = STAGES.find((stage) => columns.get(stage)?.some(({ isBlocked }) => isBlocked));
  return blocked ?? STAGES.find((stage) => (columns.get(stage) ?? []).length > 0) ?? "TRIAGE";
}

interface StageSwitchProps {
  stage: TaskStage;
  cardsIn: (stage: TaskStage) => readonly Card[];
  onChange: (stage: TaskStage) => void;
}

/** Chooses the column that a phone shows, with how many tasks are in each. */
function StageSwitch({ stage, cardsIn, onChange }: StageSwitchProps) {
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
