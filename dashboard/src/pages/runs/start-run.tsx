import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { millrace } from "../../api/client.ts";
import { agentsQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Button } from "../../parts/button.tsx";
import { Actions, Dialog } from "../../parts/dialog.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";

/** Asks an agent to do something now, and goes to where it can be watched. */
export function StartRun({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [prompt, setPrompt] = useState("");
  const [title, setTitle] = useState("");
  const [agent, setAgent] = useState("");
  const start = useMutation({
    mutationFn: () =>
      millrace.runs.create({
        prompt,
        ...(title.trim() === "" ? {} : { title }),
        ...(agent === "" ? {} : { agent_identity_uid: agent }),
      }),
    onSuccess: ({ run_id }) => navigate(`/runs/${run_id}`),
  });
  return (
    <Dialog title="Start run" isOpen onClose={onClose}>
      <Form onSubmit={() => start.mutate()}>
        <Field
          label="Prompt"
          rows={6}
          autoFocus
          value={prompt}
          onChange={setPrompt}
          hint="Instructions for the agent."
        />
        <Field
          label="Title"
          value={title}
          onChange={setTitle}
          hint="Defaults to the beginning of the prompt."
        />
        <AgentChoice value={agent} onChange={setAgent} />
        {start.error && <ProblemNotice error={start.error} />}
        <Actions>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isPending={start.isPending} isDisabled={prompt.trim() === ""}>
            Start
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}

function AgentChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const { factories } = useFactory();
  const nameOf = (uid: string | undefined) => factories.find((factory) => factory.uid === uid)?.name;
  const options = agents.map(({ uid, name, factory_uid }) => {
    const factory = nameOf(factory_uid);
    return { value: uid, label: factory ? `${name} of ${factory}` : name };
  });
  return (
    <Choice
      label="Agent"
      value={value}
      onChange={onChange}
      options={[{ value: "", label: "The server's default agent" }, ...options]}
    />
  );
}
