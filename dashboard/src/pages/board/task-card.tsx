import { Link } from "wouter";
import type { TaskStage } from "../../api/models.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { RunChip } from "../../parts/runs/run-chip.tsx";
import { runCostText } from "../../parts/runs/run-figures.ts";
import { TicketName } from "../../parts/runs/ticket-name.tsx";
import { Urgency } from "../../parts/runs/urgency.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import type { Card } from "./cards.ts";
import { MoveMenu } from "./move-menu.tsx";
import styles from "./task-card.module.css";

interface TaskCardProps {
  card: Card;
  factory: string;
  mayMove: boolean;
  /** Whether the keyboard was on it when it was moved. */
  isFocused: boolean;
  onDrag: (uid: string | undefined) => void;
  onMove: (stage: TaskStage) => void;
}

/** One task: what it is, who works on it, and for how long it has been in its stage. */
export function TaskCard({ card, factory, mayMove, isFocused, onDrag, onMove }: TaskCardProps) {
  const { task, shown, run, isBlocked, since, stage } = card;
  const { uid, title } = task;
  const cost = run && runCostText(run);
  const start = (event: React.DragEvent) => {
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", title);
    onDrag(uid);
  };
  return (
    <li
      className={isBlocked ? styles.blocked : styles.card}
      draggable={mayMove}
      onDragStart={start}
      onDragEnd={() => onDrag(undefined)}
    >
      <div className={styles.head}>
        <Link href={factoryPath(factory, "tasks", uid)} className={styles.title} draggable={false}>
          {title}
        </Link>
        {mayMove && <MoveMenu title={title} stage={stage} isFocused={isFocused} onMove={onMove} />}
      </div>
      {shown && (
        <div className={styles.facts}>
          <RunChip state={shown.state} />
          {run?.question && <Urgency question={run.question} />}
          <span>{shown.agent}</span>
          {cost && <span>{cost}</span>}
        </div>
      )}
      {isBlocked && run?.question && <p className={styles.question}>{run.question.text}</p>}
      <div className={styles.facts}>
        <TicketName task={task} />
        <span>
          <span className="visually-hidden">Entered this stage </span>
          <RelativeTime at={since} />
        </span>
      </div>
    </li>
  );
}
