import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { agentsQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Tagged } from "../../api/tagged.ts";
import { announce } from "../../parts/announcer.tsx";
import { Edited } from "../../parts/forms/edited.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { LinesField } from "../../parts/forms/lines-field.tsx";

interface AgentFormProps {
  /** Nothing for a new one. */
  agent: Models["AgentResponse"] | undefined;
  onClose: () => void;
}

/** Adds an agent that no definition describes, or changes one. */
export function AgentForm({ agent, onClose }: AgentFormProps) {
  if (!agent) return <Form agent={undefined} onClose={onClose} />;
  const { uid } = agent;
  return (
    <Edited id={uid} read={() => millrace.identities.get(uid)}>
      {(current) => <Form agent={current} onClose={onClose} />}
    </Edited>
  );
}

interface FormProps {
  agent: Tagged<Models["AgentResponse"]> | undefined;
  onClose: () => void;
}

function Form({ agent, onClose }: FormProps) {
  const [name, setName] = useState(agent?.name ?? "");
  const [description, setDescription] = useState(agent?.description ?? "");
  const [secrets, setSecrets] = useState(agent?.secrets.map((secret) => secret.name) ?? []);
  const [skills, setSkills] = useState<string[]>(agent?.skills ?? []);
  const send = async () => {
    const body = { name, description, skills, secrets: secrets.map((secret) => ({ name: secret })) };
    if (agent) await millrace.identities.update(agent.uid, body, {}, agent.etag);
    else await millrace.identities.create(body);
    await queryClient.invalidateQueries({ queryKey: agentsQuery.queryKey });
    announce(`Saved ${name}.`);
  };
  return (
    <FormDialog
      title={agent ? `Edit ${agent.name}` : "Add agent without a factory"}
      action="Save"
      isComplete={name.trim() !== ""}
      onSend={send}
      onClose={onClose}
    >
      <Field
        label="Name"
        autoFocus
        autoComplete="off"
        value={name}
        onChange={setName}
        hint="Runs select the agent by its UID. API keys of kind agent act as an agent."
      />
      <Field label="Description" value={description} onChange={setDescription} />
      <LinesField
        label="Secrets"
        hint="Names of the secrets that its runs receive, one per line."
        lines={secrets}
        onChange={setSecrets}
      />
      <LinesField label="Skills" hint="OWNER/REPO:NAME, one per line." lines={skills} onChange={setSkills} />
    </FormDialog>
  );
}
