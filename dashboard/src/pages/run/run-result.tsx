import type { Models } from "../../api/client.ts";
import { counted } from "../../parts/counted.ts";
import { Section } from "../../parts/page.tsx";
import { ArtifactList } from "../../parts/runs/artifact-list.tsx";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { Markdown } from "../../parts/text/markdown.tsx";
import styles from "./run-result.module.css";
import { LastLines } from "./transcript/last-lines.tsx";

type Run = Models["RunItem"];

/** What has come of a run: why it failed, its links and files, and what its agent answered. */
export function RunResult({ run }: { run: Run }) {
  const isOver = hasEnded(run.state);
  const hasArtifacts = (run.artifacts ?? []).length > 0;
  if (run.state === "QUEUED") return <WaitingNote run={run} />;
  if (!isOver && !hasArtifacts) return null;
  const answer = isOver ? run.answer : undefined;
  return (
    <Section title={isOver ? "Result" : "Result so far"}>
      <div className={styles.result}>
        <StatusMessage run={run} />
        <ArtifactList artifacts={run.artifacts ?? []} />
        {answer && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
          <section className={styles.answer} tabIndex={0} aria-label="Answer">
            <Markdown text={answer} />
          </section>
        )}
        {run.state === "SUCCEEDED" && !answer && !hasArtifacts && (
          <p className={styles.none}>The agent left no answer, links or files.</p>
        )}
      </div>
    </Section>
  );
}

/** Why it has failed, or who dismissed it. */
function StatusMessage({ run: { run_id, state, status_message: status } }: { run: Run }) {
  const hasFailed = state === "FAILED" || state === "ERROR";
  if (!hasEnded(state) || (!status?.message && !hasFailed)) return null;
  return (
    <>
      {status?.message && (
        <div className={hasFailed ? styles.failed : styles.ended} role="note">
          <strong>{status.error_code ?? state}</strong>
          <p>{status.message}</p>
        </div>
      )}
      {hasFailed && <LastLines runId={run_id} />}
    </>
  );
}

function WaitingNote({ run: { waiting } }: { run: Run }) {
  return (
    <Section title="Waiting">
      <p>{waiting?.message ?? "The run waits for a worker."}</p>
      {waiting && waiting.reason !== "window" && <p className={styles.none}>{placeText(waiting.place)}</p>}
    </Section>
  );
}

/** No more runs before this one are counted. */
const MAX_PLACE = 100;

function placeText(place: number): string {
  if (place === 0) return "This run starts next.";
  if (place >= MAX_PLACE) return `At least ${MAX_PLACE} runs start before this one.`;
  return `${counted(place, "run")} ${place === 1 ? "starts" : "start"} before this one.`;
}
