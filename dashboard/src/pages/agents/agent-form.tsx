import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { agentsQuery } from "../../api/queries.ts";
import type { Tagged } from "../../api/tagged.ts";
import { Edited } from "../../parts/forms/edited.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { LinesField } from "../../parts/forms/lines-field.tsx";
import { ResourceForm } from "../../parts/forms/resource-form.tsx";

interface AgentFormProps {
  /** Nothing for a new one. */
  agent: Models["AgentResponse"] | undefined;
  onClose: () => void;
}

/** Adds an agent that no definition describes, or changes one. */
export function AgentForm({ agent, onClose }: AgentFormProps) {
  return (
    <Edited id={agent?.uid} read={(id) => millrace.identities.get(id)}>
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
  const save = async () => {
    const body = { name, description, skills, secrets: secrets.map((secret) => ({ name: secret })) };
    if (agent) await millrace.identities.update(agent.uid, body, {}, agent.etag);
    else await millrace.identities.create(body);
  };
  return (
    <ResourceForm
      title={agent ? `Edit ${agent.name}` : "Add agent without a factory"}
      name={name}
      save={save}
      listKey={agentsQuery.queryKey}
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
    </ResourceForm>
  );
}
