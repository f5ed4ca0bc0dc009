import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { millrace } from "../../../api/client.ts";
import type { Run } from "../../../api/models.ts";
import { queryClient } from "../../../api/query-client.ts";
import { familyQuery } from "../../../api/run-queries.ts";
import { announce } from "../../../parts/announcer.tsx";
import { Button } from "../../../parts/button.tsx";
import { counted } from "../../../parts/counted.ts";
import { ConfirmDialog } from "../../../parts/forms/confirm-dialog.tsx";
import { RadioChoice } from "../../../parts/forms/radio-choice.tsx";
import { hasEnded } from "../../../parts/runs/has-ended.ts";
import styles from "./cancel-run.module.css";
import { descendantsOf } from "./family-tree.ts";

type Scope = "run" | "tree";

/** Ends a run; where it has started others that have not ended, these too if wanted. */
export function CancelRun({ run }: { run: Run }) {
  const [isOpen, setOpen] = useState(false);
  const [scope, setScope] = useState<Scope>("run");
  const { data: family = [] } = useQuery(familyQuery(run.run_id));
  const open = descendantsOf(family, run.run_id).filter(({ state }) => !hasEnded(state));
  const isTree = scope === "tree" && open.length > 0;
  const cancel = async () => {
    await millrace.runs.cancel(run.run_id, { tree: isTree });
    announce(isTree ? "Cancelling the run and its agents." : "Cancelling the run.");
    await Promise.all(
      [["run", run.run_id], ["family"]].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
  };
  return (
    <>
      <Button kind="danger" onPress={() => setOpen(true)}>
        Cancel
      </Button>
      <ConfirmDialog
        title="Cancel this run?"
        action={isTree ? `Cancel ${counted(open.length + 1, "run")}` : "Cancel run"}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={cancel}
      >
        {open.length > 0 && (
          <div className={styles.choice}>
            <RadioChoice<Scope>
              label="What to cancel"
              value={scope}
              onChange={setScope}
              options={[
                {
                  value: "run",
                  label: "Cancel this run",
                  hint: `The ${counted(open.length, "run")} that it has started and that ${
                    open.length === 1 ? "has" : "have"
                  } not ended ${open.length === 1 ? "goes" : "go"} on.`,
                },
                {
                  value: "tree",
                  label: "Cancel with all its agents",
                  hint: `Ends ${counted(open.length + 1, "run")}. Open questions are dismissed.`,
                },
              ]}
            />
          </div>
        )}
        <p>
          The agent is stopped immediately. Its output and the files in artifacts/ are retained. Changes made
          outside its workspace are not undone.
        </p>
      </ConfirmDialog>
    </>
  );
}
