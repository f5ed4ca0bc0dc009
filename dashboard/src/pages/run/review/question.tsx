import { Check, X } from "lucide-react";
import { useState } from "react";
import { millrace } from "../../../api/client.ts";
import type { Run } from "../../../api/models.ts";
import { queryClient } from "../../../api/query-client.ts";
import { useMay } from "../../../frame/use-role.ts";
import { announce } from "../../../parts/announcer.tsx";
import { Button } from "../../../parts/button.tsx";
import { FormDialog } from "../../../parts/forms/form-dialog.tsx";
import { usePageAction } from "../../../parts/page-actions.ts";
import { ProblemNotice } from "../../../parts/problem-notice.tsx";
import { agentOf } from "../../../parts/runs/run-agent.ts";
import { Urgency } from "../../../parts/runs/urgency.tsx";
import { Markdown } from "../../../parts/text/markdown.tsx";
import { RelativeTime } from "../../../parts/time/relative-time.tsx";
import { type Once, useAction } from "../../../parts/use-action.ts";
import { FollowUpForm } from "../follow-up.tsx";
import { decisionOf } from "./decision.ts";
import styles from "./question.module.css";
import { usePageKeys } from "./use-page-keys.ts";

interface QuestionProps {
  run: Run;
  /** What was written so far of another answer. */
  draft: string;
  onDraft: (draft: string) => void;
}

/**
 * What an agent asks, with what answers it directly below. All of it comes with the run itself, so that nothing moves when more
 * is loaded.
 */
export function Question({ run, draft, onDraft }: QuestionProps) {
  const { question } = run;
  const choices = question?.choices ?? [];
  const mayOperate = useMay("operator");
  const [isOther, setOther] = useState(choices.length === 0 || draft !== "");
  return (
    <section className={styles.question} aria-label="Question from the agent">
      <div className={styles.head}>
        <span>
          <strong>{agentOf(run)}</strong> asks
        </span>
        {question && <Urgency question={question} />}
        {question && (
          <span className={styles.age}>
            <RelativeTime at={question.asked_at} />
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className={styles.text} tabIndex={0} aria-label="Question">
        <Markdown text={question?.text ?? run.status_message?.message ?? ""} />
      </section>
      {mayOperate && <Answers run={run} choices={choices} />}
      {mayOperate && !isOther && (
        <Button kind="quiet" onPress={() => setOther(true)}>
          Answer something else
        </Button>
      )}
      {isOther && (
        <FollowUpForm
          run={run}
          label={choices.length > 0 ? "Another answer" : "Your answer"}
          draft={draft}
          onDraft={onDraft}
        />
      )}
    </section>
  );
}

interface AnswersProps {
  run: Run;
  choices: readonly string[];
}

/** The answers that are offered. One of them is sent once; then the question is answered. */
export function Answers({ run, choices }: AnswersProps) {
  const { run_id: runId } = run;
  const { approve, reject, others } = decisionOf(choices);
  const [asked, setAsked] = useState<string>();
  const send = async (once: Once, message: string) => {
    await millrace.runs.followup(runId, { message }, once);
    return message;
  };
  const onDone = (message: string) => {
    announce(`Sent the answer “${message}”.`);
    return queryClient.invalidateQueries({ queryKey: ["run", runId] });
  };
  const answer = useAction<string, string>({ send, onDone });
  // Until the run is seen to go on, a press would be one more message to it.
  const isAnswered = answer.data !== undefined;
  const ask = (choice: string | undefined) => choice !== undefined && !isAnswered && setAsked(choice);
  usePageAction(approve && `${approve}…`, () => ask(approve));
  usePageAction(reject && `${reject}…`, () => ask(reject));
  usePageKeys({ a: () => ask(approve), r: () => ask(reject) });
  const button = (choice: string) => ({
    isPending: answer.sending === choice,
    isDisabled: isAnswered || (answer.isPending && answer.sending !== choice),
    onPress: () => answer.run(choice),
  });
  return (
    <>
      <fieldset className={styles.answers} aria-label="Answers">
        {(approve !== undefined || reject !== undefined) && (
          <div className={styles.decision}>
            {approve !== undefined && (
              <Button kind="main" {...button(approve)}>
                <Check size={16} aria-hidden /> {approve}{" "}
                <span className={styles.key} aria-hidden="true">
                  A
                </span>
              </Button>
            )}
            {reject !== undefined && (
              <Button {...button(reject)}>
                <X size={16} aria-hidden /> {reject}{" "}
                <span className={styles.key} aria-hidden="true">
                  R
                </span>
              </Button>
            )}
          </div>
        )}
        {others.map((choice) => (
          <Button key={choice} {...button(choice)}>
            {choice}
          </Button>
        ))}
      </fieldset>
      {answer.error && <ProblemNotice error={answer.error} />}
      {asked !== undefined && (
        <FormDialog
          title={`${asked}?`}
          action={`Send “${asked}”`}
          kind={asked === reject ? "danger" : "main"}
          isComplete
          onSend={(once) => send(once, asked)}
          onSent={(message) => {
            setAsked(undefined);
            return onDone(message);
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>
            Sends “{asked}” to {agentOf(run)} as the answer. The run then continues.
          </p>
        </FormDialog>
      )}
    </>
  );
}
