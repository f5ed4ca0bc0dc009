import type { Run } from "../../api/models.ts";
import { Section } from "../../parts/page.tsx";
import { Urgency } from "../../parts/runs/urgency.tsx";
import { Markdown } from "../../parts/text/markdown.tsx";
import { AnswerChoices } from "./answer-choices.tsx";
import { FollowUpForm } from "./follow-up.tsx";
import styles from "./open-question.module.css";

/**
 * What an agent asks, with its choices and the box for another answer directly below. All of it comes with the run itself, so
 * that the box does not move when more is loaded.
 */
export function OpenQuestion({ run }: { run: Run }) {
  const { question } = run;
  const choices = question?.choices ?? [];
  return (
    <Section title="Question from the agent" aside={question && <Urgency question={question} />}>
      <div className={styles.question}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
        <section className={styles.text} tabIndex={0} aria-label="Question">
          <Markdown text={question?.text ?? run.status_message?.message ?? ""} />
        </section>
        {choices.length > 0 && <AnswerChoices runId={run.run_id} choices={choices} />}
        <FollowUpForm run={run} label={choices.length > 0 ? "Another answer" : "Your answer"} />
      </div>
    </Section>
  );
}
