import { Link } from "wouter";
import type { Task } from "../../api/models.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { hasTicket, TicketName } from "../../parts/runs/ticket-name.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import styles from "./task-origin.module.css";

/** Where a task comes from, and since when it is in its stage: the line below its title. */
export function TaskOrigin({ task, factory }: { task: Task; factory: string }) {
  const { author, created_at, stage_changed_at } = task;
  const name = author?.display_name ?? author?.uid;
  return (
    <ul className={styles.origin} aria-label="Origin">
      {hasTicket(task) && (
        <li>
          <TicketName task={task} />
        </li>
      )}
      {name && <li>Created by {name}</li>}
      <li>
        in <Link href={factoryPath(factory, "board")}>{factory}</Link>
      </li>
      <li>
        Created <RelativeTime at={created_at} />
      </li>
      <li>
        Entered this stage <RelativeTime at={stage_changed_at} />
      </li>
    </ul>
  );
}
