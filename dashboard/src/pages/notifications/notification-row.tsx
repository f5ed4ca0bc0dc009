import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { Chip } from "../../parts/chip.tsx";
import { AttemptNotes } from "../../parts/sending/attempt-notes.tsx";
import { SENDING_TONES, SENDING_WORDS } from "../../parts/sending/sending-states.ts";
import { main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { EVENT_WORDS } from "./notification-filters.ts";

/** One notification: how it stands, what it says, and where it goes. */
export function NotificationRow({ notification }: { notification: Models["Notification"] }) {
  const { state, event, summary, run_id, target, target_name, attempts, last_error } = notification;
  const { created_at, next_attempt_at } = notification;
  return (
    <tr>
      <td>
        <Chip tone={SENDING_TONES[state]}>{SENDING_WORDS[state]}</Chip>
      </td>
      <td className={main}>
        {run_id === null ? summary : <Link href={`/runs/${run_id}`}>{summary}</Link>}
        <div className={muted}>{EVENT_WORDS[event]}</div>
        <AttemptNotes
          lastError={last_error}
          nextAttemptAt={state === "waiting" && attempts > 0 ? next_attempt_at : null}
        />
      </td>
      <td className={`${wide} ${muted}`}>{target_name ?? target}</td>
      <td className={`${wide} ${right} ${muted}`}>{attempts}</td>
      <td className={`${right} ${muted}`}>
        <RelativeTime at={created_at} />
      </td>
    </tr>
  );
}
