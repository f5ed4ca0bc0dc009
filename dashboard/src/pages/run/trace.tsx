import type { Run } from "../../api/models.ts";
import { Fold } from "../../parts/fold.tsx";
import { Family } from "./family/family.tsx";
import { Timeline } from "./timeline.tsx";
import { Transcript } from "./transcript/transcript.tsx";
import { WaitingNote } from "./waiting-note.tsx";

/** How a run came to its result: what its agent does and writes, those that it has started, and what has happened. */
export function Trace({ run }: { run: Run }) {
  return (
    <>
      {run.state === "QUEUED" && <WaitingNote run={run} />}
      <Family run={run} />
      <Transcript run={run} />
      <Fold title="Timeline">
        <Timeline runId={run.run_id} />
      </Fold>
    </>
  );
}
