import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import type { Run } from "../../api/models.ts";
import { runQuery } from "../../api/run-queries.ts";
import { Chip } from "../../parts/chip.tsx";
import { Fold } from "../../parts/fold.tsx";
import { Page } from "../../parts/page.tsx";
import { waitingText } from "../../parts/runs/waiting-text.ts";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { ScrollText } from "../../parts/text/scroll-text.tsx";
import { RUN_TONES } from "../../parts/tones.ts";
import { Family } from "./family/family.tsx";
import { ParentNote } from "./family/parent-note.tsx";
import { OpenQuestion } from "./open-question.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunAttachments } from "./run-attachments.tsx";
import { RunDeliveries } from "./run-deliveries.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunNetwork } from "./run-network.tsx";
import { RunNote } from "./run-note.tsx";
import { RunOrigin } from "./run-origin.tsx";
import styles from "./run-page.module.css";
import { RunResult } from "./run-result.tsx";
import { RunWork } from "./run-work.tsx";
import { Timeline } from "./timeline.tsx";
import { usageText } from "./usage-facts.tsx";

/** One run: how it stands and what has come of it, then how that came, and ways to steer or stop it. */
export function RunPage() {
  const { id = "" } = useParams<{ id: string }>();
  const query = useQuery(runQuery(id));
  return (
    <Loaded query={query} rows={8} title="Run">
      {(run) => (
        <Page
          title={run.title || "Run"}
          mark={<RunMark run={run} />}
          lead={<RunOrigin run={run} />}
          actions={<RunActions run={run} />}
        >
          {run.state === "BLOCKED" && <OpenQuestion key={questionKey(run)} run={run} />}
          <ParentNote run={run} />
          <RunResult run={run} />
          <Family run={run} />
          <RunWork key={id} run={run} />
          <Details run={run} />
        </Page>
      )}
    </Loaded>
  );
}

/** Another question is another form: nothing of the answer to the one before is left in it. */
function questionKey({ run_id, question }: Run): string {
  return `${run_id} ${question?.asked_at}`;
}

/** Its state, and what its agent does or waits for. */
function RunMark({ run }: { run: Run }) {
  const line = waitingText(run) ?? (run.state === "INPROGRESS" ? run.status_line : undefined);
  return (
    <>
      <Chip tone={RUN_TONES[run.state]}>{run.state}</Chip>
      {line && <span className={styles.line}>{line}</span>}
    </>
  );
}

/** What few look for. */
function Details({ run }: { run: Run }) {
  return (
    <div className={styles.details}>
      <Fold title="About" about={run.request_usage ? usageText(run.request_usage) : run.run_id}>
        <RunFacts run={run} />
      </Fold>
      <Fold title="Timeline">
        <Timeline runId={run.run_id} />
      </Fold>
      <RunDeliveries run={run} />
      <RunNetwork runId={run.run_id} />
      <RunNote runId={run.run_id} />
      <RunAttachments run={run} />
      <Fold title="Configuration">
        <ScrollText label="Configuration as JSON" text={JSON.stringify(run.agent_config, null, 2)} />
      </Fold>
    </div>
  );
}
