import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { millrace } from "../../api/client.ts";
import { agentsQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Choice, Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import type { Once } from "../../parts/use-action.ts";

/** Asks an agent to do something now, and goes to where it can be watched. */
export function StartRun({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [prompt, setPrompt] = useState("");
  const [title, setTitle] = useState("");
  const [agent, setAgent] = useState("");
  const start = (once: Once) => {
    const optional = {
      ...(title.trim() === "" ? {} : { title }),
      ...(agent === "" ? {} : { agent_identity_uid: agent }),
    };
    return millrace.runs.create({ prompt, ...optional }, once);
  };
  return (
    <FormDialog
      title="Start run"
      action="Start"
      isComplete={prompt.trim() !== ""}
      onSend={start}
      onSent={({ run_id }) => navigate(`/runs/${run_id}`)}
      onClose={onClose}
    >
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
    </FormDialog>
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
