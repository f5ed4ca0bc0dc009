import { muted } from "../tables/data-table.tsx";
import { RelativeTime } from "../time/relative-time.tsx";

interface AttemptNotesProps {
  /** Null for nothing to say of it. */
  lastError: string | null;
  nextAttemptAt: string | null;
}

/** What went wrong with sending something, and when it is tried again. */
export function AttemptNotes({ lastError, nextAttemptAt }: AttemptNotesProps) {
  return (
    <>
      {lastError !== null && <div className={muted}>Last error: {lastError}</div>}
      {nextAttemptAt !== null && (
        <div className={muted}>
          Next attempt <RelativeTime at={nextAttemptAt} />
        </div>
      )}
    </>
  );
}
