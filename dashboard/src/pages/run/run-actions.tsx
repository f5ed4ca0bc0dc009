import type { Run } from "../../api/models.ts";
import { useMay } from "../../frame/use-role.ts";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { RunAgain } from "../../parts/runs/run-again.tsx";
import { DeleteRun } from "./delete-run.tsx";
import { DismissRun } from "./dismiss-run.tsx";
import { CancelRun } from "./family/cancel-run.tsx";

/** What can be done with a run as it stands, by who may. */
export function RunActions({ run }: { run: Run }) {
  const mayOperate = useMay("operator");
  if (!mayOperate) return null;
  return (
    <>
      {hasEnded(run.state) && <RunAgain run={run} />}
      {!hasEnded(run.state) && run.state !== "BLOCKED" && <CancelRun run={run} />}
      {run.state === "BLOCKED" && <DismissRun run={run} />}
      <DeleteRun run={run} />
    </>
  );
}
