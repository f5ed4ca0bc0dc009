import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { runQuery } from "../../api/run-queries.ts";
import { Chip } from "../../parts/chip.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ScrollText } from "../../parts/scroll-text.tsx";
import { RUN_TONES } from "../../parts/tones.ts";
import { Conversation } from "./conversation.tsx";
import { FollowUp } from "./follow-up.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunFiles } from "./run-files.tsx";
import styles from "./run-page.module.css";
import { Timeline } from "./timeline.tsx";
import { Transcript } from "./transcript.tsx";

/** One run: what its agent was asked, what it is doing, and ways to steer or stop it. */
export function RunPage() {
  const { id = "" } = useParams<{ id: string }>();
  const query = useQuery(runQuery(id));
  return (
    <Loaded query={query} rows={8} title="Run">
      {(run) => (
        <Page
          title={run.title || "Run"}
          mark={<Chip tone={RUN_TONES[run.state]}>{run.state}</Chip>}
          actions={<RunActions run={run} />}
        >
          <StatusMessage run={run} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <Conversation run={run} />
              {run.state === "BLOCKED" && <FollowUp run={run} />}
              <Transcript key={id} run={run} />
              {run.state !== "BLOCKED" && <FollowUp run={run} />}
              <Section title="Configuration">
                <ScrollText label="Configuration as JSON" text={JSON.stringify(run.agent_config, null, 2)} />
              </Section>
            </div>
            <div className={styles.column}>
              <RunFacts run={run} />
              <Timeline runId={id} />
              <RunFiles run={run} />
            </div>
          </div>
        </Page>
      )}
    </Loaded>
  );
}

/** Why it has failed, or who dismissed it. What its agent asks of a person is in the conversation. */
function StatusMessage({ run: { state, status_message: status } }: { run: Models["RunItem"] }) {
  if (!status?.message || state === "BLOCKED") return null;
  return (
    <div className={styles.failed} role="note">
      <strong>{status.error_code ?? state}</strong>
      <p>{status.message}</p>
    </div>
  );
}
