import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Actions } from "../../parts/forms/dialog.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { useAction } from "../../parts/use-action.ts";

const OUTCOMES: Readonly<Record<Models["RunFollowupResponse"]["outcome"], string>> = {
  live_session: "The agent received the message.",
  queued_prompt: "The message was added to the prompt.",
  handoff_execution: "The run continues with another turn.",
  queue_pending: "The agent receives the message with its next turn.",
};

/** Tells the agent of a run something. */
export function FollowUp({ run }: { run: Models["RunItem"] }) {
  const mayOperate = useMay("operator");
  const [draft, setDraft] = useState("");
  if (!mayOperate) return null;
  return (
    <Section title="Follow up">
      <FollowUpForm run={run} label="Message" draft={draft} onDraft={setDraft} />
    </Section>
  );
}

interface FollowUpFormProps {
  run: Models["RunItem"];
  label: string;
  draft: string;
  onDraft: (draft: string) => void;
}

/** The box for a message, for who may send one. */
export function FollowUpForm({ run, label, draft: message, onDraft: setMessage }: FollowUpFormProps) {
  const mayOperate = useMay("operator");
  const send = useAction({
    send: (once) => millrace.runs.followup(run.run_id, { message }, once),
    onDone: ({ outcome }) => {
      announce(OUTCOMES[outcome]);
      setMessage("");
      return queryClient.invalidateQueries({ queryKey: ["run", run.run_id] });
    },
  });
  if (!mayOperate) return null;
  return (
    <Form onSubmit={() => message.trim() !== "" && send.run()}>
      <Field label={label} rows={3} value={message} onChange={setMessage} hint={hintFor(run.state)} />
      {send.error && <ProblemNotice error={send.error} />}
      <Actions>
        <Button kind="main" type="submit" isPending={send.isPending} isDisabled={message.trim() === ""}>
          Send
        </Button>
      </Actions>
    </Form>
  );
}

function hintFor(state: Models["RunState"]): string {
  if (state === "BLOCKED") return "Answers the agent's question; the run then continues.";
  if (hasEnded(state)) return "Starts another turn in the same workspace.";
  if (state === "QUEUED") return "Added to the prompt that the agent receives when it starts.";
  return "Delivered immediately if the harness supports it, otherwise with the next turn.";
}
