import { type DragEvent, type ReactNode, useState } from "react";
import type { TaskStage } from "../../api/models.ts";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { STAGE_WORDS } from "../../parts/runs/stage-words.ts";
import styles from "./board-column.module.css";
import type { Card } from "./cards.ts";

/** Cards of a column that are in the page at first: thousands would make it slow, and nobody reads them. */
const SHOWN = 50;

interface BoardColumnProps {
  stage: TaskStage;
  cards: readonly Card[];
  /** Whether there are more than those, which the server has not been asked for. */
  hasMore: boolean;
  /** Whether a card that is being dragged can be dropped here. */
  takesDrop: boolean;
  onDrop: () => void;
  card: (card: Card) => ReactNode;
  /** What brings more. */
  more?: ReactNode;
}

/** The tasks of one stage. */
export function BoardColumn({ stage, cards, hasMore, takesDrop, onDrop, card, more }: BoardColumnProps) {
  const [shown, setShown] = useState(SHOWN);
  const [isOver, setOver] = useState(false);
  const name = STAGE_WORDS[stage];
  const over = (event: DragEvent) => {
    if (!takesDrop) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
    setOver(true);
  };
  const leave = ({ currentTarget, relatedTarget }: DragEvent) => {
    // It is left for one of its own cards, too.
    if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
  };
  return (
    <section
      className={[styles.column, takesDrop ? styles.open : "", takesDrop && isOver ? styles.over : ""].join(
        " ",
      )}
      aria-label={name}
      onDragOver={over}
      onDragLeave={leave}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (takesDrop) onDrop();
      }}
    >
      <h2 className={styles.head}>
        {name}{" "}
        <span className={styles.count}>
          {cards.length}
          {hasMore && "+"}
          <span className="visually-hidden"> {counted(cards.length, "task").replace(/^\S+ /, "")}</span>
        </span>
      </h2>
      <ul className={styles.cards}>{cards.slice(0, shown).map(card)}</ul>
      {cards.length === 0 && <p className={styles.none}>No tasks</p>}
      {cards.length > shown ? (
        <Button isSmall onPress={() => setShown(shown + SHOWN)}>
          Show {Math.min(SHOWN, cards.length - shown)} more
        </Button>
      ) : (
        more
      )}
    </section>
  );
}
