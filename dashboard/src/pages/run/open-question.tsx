import { millrace } from "../../api/client.ts";
import type { Run } from "../../api/models.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { Urgency } from "../../parts/runs/urgency.tsx";
import { Markdown } from "../../parts/text/markdown.tsx";
import { useAction } from "../../parts/use-action.ts";
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

interface AnswerChoicesProps {
  runId: string;
  choices: readonly string[];
}

/** The answers that an agent offers. One of them is sent once; then the question is answered. */
function AnswerChoices({ runId, choices }: AnswerChoicesProps) {
  const mayOperate = useMay("operator");
  const answer = useAction<string, string>({
    send: async (once, message) => {
      await millrace.runs.followup(runId, { message }, once);
      return message;
    },
    onDone: (message) => {
      announce(`Sent the answer “${message}”.`);
      return queryClient.invalidateQueries({ queryKey: ["run", runId] });
    },
  });
  if (!mayOperate) return null;
  // Until the run is seen to go on, a press would be one more message to it.
  const isAnswered = answer.data !== undefined;
  return (
    <div className={styles.choices}>
      <fieldset className={styles.buttons} aria-label="Answers">
        {choices.map((choice) => (
          <Button
            key={choice}
            isPending={answer.sending === choice}
            isDisabled={isAnswered || (answer.isPending && answer.sending !== choice)}
            onPress={() => answer.run(choice)}
          >
            {choice}
          </Button>
        ))}
      </fieldset>
      {answer.error && <ProblemNotice error={answer.error} />}
    </div>
  );
}
