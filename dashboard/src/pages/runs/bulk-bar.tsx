import { useState } from "react";
import { millrace } from "../../api/client.ts";
import type { RunQuery } from "../../api/models.ts";
import { Button } from "../../parts/button.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { later, openLater } from "../../parts/time/later.tsx";
import { useAction } from "../../parts/use-action.ts";
import { type BulkAction, CANCEL, RUN_AGAIN, runsText } from "./bulk-action.ts";
import styles from "./bulk-bar.module.css";
import { MAX_SELECTED, type Selection } from "./use-selection.ts";

const dialog = later(async () => (await import("./bulk-dialog.tsx")).BulkDialog);

interface BulkBarProps {
  selection: Selection;
  filters: RunQuery;
  /** Whether more runs match than are selected. */
  hasMore: boolean;
}

/** What can be done with the selected rows. */
export function BulkBar({ selection: { runs, setAll }, filters, hasMore }: BulkBarProps) {
  const [bulk, setBulk] = useState<{ action: BulkAction; runs: Selection["runs"] } | undefined>();
  const all = useAction({ send: () => firstMatches(filters), onDone: setAll });
  // The dialog is about the runs as they were when it was opened.
  const open = (action: BulkAction) => void openLater(dialog, () => setBulk({ action, runs }));
  return (
    <section className={styles.bar} aria-label="Selected runs">
      <strong role="status">{runsText(runs)} selected</strong>
      <Button isSmall kind="danger" onPress={() => open(CANCEL)}>
        Cancel…
      </Button>
      <Button isSmall onPress={() => open(RUN_AGAIN)}>
        Run again…
      </Button>
      {hasMore && runs.length < MAX_SELECTED && (
        <Button isSmall kind="quiet" onPress={() => all.run()} isPending={all.isPending}>
          {`Select all that match (up to ${MAX_SELECTED})`}
        </Button>
      )}
      <Button isSmall kind="quiet" onPress={() => setAll([])}>
        Clear selection
      </Button>
      {all.error && <ProblemNotice error={all.error} />}
      {bulk && (
        <dialog.Part
          bulk={bulk.action}
          runs={bulk.runs}
          onClose={() => {
            setBulk(undefined);
            setAll([]);
          }}
        />
      )}
    </section>
  );
}

/** A page may hold fewer runs than it was asked for. */
async function firstMatches(filters: RunQuery) {
  const runs = [];
  for await (const run of millrace.runs.list({ ...filters, limit: MAX_SELECTED })) {
    runs.push(run);
    if (runs.length === MAX_SELECTED) break;
  }
  return runs;
}
