import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Run, Task } from "../../api/models.ts";
import { taskRunsQuery } from "../../api/task-queries.ts";
import { Section } from "../../parts/page.tsx";
import { agentOf } from "../../parts/runs/run-agent.ts";
import { Urgency } from "../../parts/runs/urgency.tsx";
import { Markdown } from "../../parts/text/markdown.tsx";
import styles from "./open-questions.module.css";

/** What the agents of a task ask, each with the way to where it is answered. */
export function OpenQuestions({ task: { factory_uid, uid } }: { task: Task }) {
  const { data: runs = [] } = useQuery(taskRunsQuery(factory_uid, uid));
  const blocked: readonly Run[] = runs.filter(({ state }) => state === "BLOCKED");
  if (blocked.length === 0) return null;
  return (
    <Section title={blocked.length === 1 ? "Question from an agent" : "Questions from agents"}>
      <ul className={styles.questions}>
        {blocked.map((run) => (
          <li key={run.run_id} className={styles.question}>
            <div className={styles.head}>
              <strong>{agentOf(run)}</strong>
              {run.question && <Urgency question={run.question} />}
            </div>
            <Markdown text={run.question?.text ?? run.status_message?.message ?? ""} />
            <Link href={`/runs/${run.run_id}`}>Answer on the page of its run</Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
