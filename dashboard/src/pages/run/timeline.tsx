import { useQuery } from "@tanstack/react-query";
import { timelineQuery } from "../../api/queries.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Section } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import styles from "./timeline.module.css";

/** What has happened to a run, in order. */
export function Timeline({ runId }: { runId: string }) {
  const query = useQuery(timelineQuery(runId));
  return (
    <Section title="Timeline">
      <Loaded query={query}>
        {(events) => (
          <ol className={styles.timeline}>
            {events.map(({ event_uuid, event_type, occurred_at, payload }) => (
              <li key={event_uuid}>
                <span className={styles.what}>{wordsFor(event_type)}</span>
                {payload?.turn !== undefined && payload.turn > 1 && <span> · turn {payload.turn}</span>}
                {payload?.sandbox && <span> · {sandboxText(payload.sandbox)}</span>}
                <div className={styles.when}>
                  <RelativeTime at={occurred_at} />
                </div>
                {payload?.weaknesses?.map((weakness) => (
                  <div key={weakness} className={styles.when}>
                    {weakness}
                  </div>
                ))}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

/** `agent_started` as people read it. */
function wordsFor(eventType: string): string {
  const words = eventType.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function sandboxText(sandbox: string): string {
  return sandbox === "none" ? "not kept apart" : `kept apart by ${sandbox}`;
}
