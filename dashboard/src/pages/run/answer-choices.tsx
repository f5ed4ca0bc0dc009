import { millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { useAction } from "../../parts/use-action.ts";
import styles from "./answer-choices.module.css";

interface AnswerChoicesProps {
  runId: string;
  choices: readonly string[];
}

/** The answers that an agent offers. One of them is sent once; then the question is answered. */
export function AnswerChoices({ runId, choices }: AnswerChoicesProps) {
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
