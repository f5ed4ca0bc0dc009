import { useQuery } from "@tanstack/react-query";
import { noteQuery } from "../../api/run-queries.ts";
import { Fold } from "../../parts/fold.tsx";
import { ScrollText } from "../../parts/text/scroll-text.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";

/** The page that the agents of a family share; nothing before one of them has written on it. */
export function RunNote({ runId }: { runId: string }) {
  const { data: note } = useQuery(noteQuery(runId));
  if (!note?.text) return null;
  const about = (
    <>
      {note.updated_by && `by ${note.updated_by} `}
      {note.updated_at && <RelativeTime at={note.updated_at} />}
    </>
  );
  return (
    <Fold title="Note of the family" about={about}>
      <ScrollText label="Note of the family" text={note.text} />
    </Fold>
  );
}
