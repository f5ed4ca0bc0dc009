import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import type { Run } from "../../api/models.ts";
import { runQuery } from "../../api/run-queries.ts";

import { Page } from "../../parts/page.tsx";
import { RunChip } from "../../parts/runs/run-chip.tsx";
import { waitingText } from "../../parts/runs/waiting-text.ts";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { ParentNote } from "./family/parent-note.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunOrigin } from "./run-origin.tsx";
import styles from "./run-page.module.css";
import { RunTabs } from "./run-tabs.tsx";

/** One run: how it stands and what it is for, then its outcome, how that came, what was said, and all that is known of it. */
export function RunPage() {
  const { id = "" } = useParams<{ id: string }>();
  const query = useQuery(runQuery(id));
  return (
    <Loaded query={query} rows={8} title="Run">
      {(run) => (
        <Page title={run.title || "Run"} lead={<RunFacts run={run} />} actions={<RunActions run={run} />}>
          <ParentNote run={run} />
          <RunTabs key={id} run={run} />
        </Page>
      )}
    </Loaded>
  );
}

/** Its state, what has started it, its time and its cost in one line, and what its agent does or waits for. */
function RunFacts({ run }: { run: Run }) {
  const line = waitingText(run) ?? (run.state === "INPROGRESS" ? run.status_line : undefined);
  return (
    <>
      <div className={styles.facts}>
        <RunChip state={run.state} />
        <RunOrigin run={run} />
      </div>
      {line && <p className={styles.line}>{line}</p>}
    </>
  );
}
