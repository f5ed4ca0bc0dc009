import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models } from "../../api/models.ts";
import { timelineQuery } from "../../api/run-queries.ts";
import { counted } from "../../parts/counted.ts";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import styles from "./timeline.module.css";

/** What has happened to a run, in order. */
export function Timeline({ runId }: { runId: string }) {
  const query = useQuery(timelineQuery(runId));
  return (
    <Loaded query={query}>
      {(events) => (
        <ol className={styles.timeline}>
          {events.map(({ event_uuid, event_type, occurred_at, payload }) => (
            <li key={event_uuid}>
              <span className={styles.what}>{wordsFor(event_type)}</span>
              {payload?.turn !== undefined && payload.turn > 1 && <span> · turn {payload.turn}</span>}
              {payload?.sandbox && <span> · {sandboxText(payload.sandbox)}</span>}
              {payload && <About payload={payload} />}
              <div className={styles.when}>
                <RelativeTime at={occurred_at} />
              </div>
              {payload?.weaknesses && payload.weaknesses.length > 0 && (
                <details className={styles.when}>
                  <summary>Isolation limits</summary>
                  {payload.weaknesses.map((weakness) => (
                    <p key={weakness}>{weakness}</p>
                  ))}
                </details>
              )}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}

type Payload = NonNullable<Models["RunEvent"]["payload"]> & { run_ids?: string[] };

/** Which other run, agent, automation, host or service it was about, and why it happened. */
function About({
  payload: { agent, run_id, automation, audience, run_ids, host, port, reason, setup },
}: {
  payload: Payload;
}) {
  const name = agent ?? automation ?? audience ?? (host && `${host}:${port}`);
  return (
    <>
      {name && <span> · {run_id ? <Link href={`/runs/${run_id}`}>{name}</Link> : name}</span>}
      {run_ids && <span> · {counted(run_ids.length, "run")}</span>}
      {setup?.restored && <span> · setup restored from a snapshot in {setup.seconds} s</span>}
      {setup?.reason && <p className={styles.when}>Setup commands ran: {setup.reason}</p>}
      {reason && <p className={styles.when}>{reason}</p>}
    </>
  );
}

/** What the public API calls what happens to a run, as people say it. */
const WORDS: Readonly<Record<string, string>> = {
  oz_run_created: "Created",
  oz_run_claimed: "Claimed by a worker",
  worker_container_ready: "Workspace ready",
  oz_run_done: "Succeeded",
  oz_run_failed: "Failed",
  oz_run_blocked: "Blocked: waiting for an answer",
  oz_run_errored: "Stopped by millrace",
  oz_run_cancelled: "Cancelled",
  oz_run_waiting: "Waiting for other runs",
  child_started: "Started another agent",
  start_refused: "Was not allowed to start another agent",
  family_budget_used_up: "Used up its budget with the runs that it started",
  trigger_refused: "Did not start an automation",
  answer_refused: "Gave an answer that does not fit the schema",
  mcp_server_failed: "Started without an MCP server",
  network_refused: "Was refused a connection",
  identity_token_issued: "Got identity tokens for a service",
};

/** What has no word of its own here reads well enough: `agent_started`. */
function wordsFor(eventType: string): string {
  const words = eventType.replaceAll("_", " ");
  return WORDS[eventType] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

function sandboxText(sandbox: string): string {
  return sandbox === "none" ? "not isolated" : `isolated by ${sandbox}`;
}
