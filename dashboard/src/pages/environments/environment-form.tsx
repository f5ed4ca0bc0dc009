import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { environmentsQuery } from "../../api/queries.ts";
import type { Tagged } from "../../api/tagged.ts";
import { Edited } from "../../parts/forms/edited.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { LinesField } from "../../parts/forms/lines-field.tsx";
import { ResourceForm } from "../../parts/forms/resource-form.tsx";

type Config = Models["CloudEnvironmentConfig"];

interface EnvironmentFormProps {
  /** Nothing for a new one. */
  environment: Models["CloudEnvironment"] | undefined;
  onClose: () => void;
}

/** Adds an environment, or changes one. */
export function EnvironmentForm({ environment, onClose }: EnvironmentFormProps) {
  return (
    <Edited id={environment?.uid} read={(id) => millrace.environments.get(id)}>
      {(current) => <Form environment={current} onClose={onClose} />}
    </Edited>
  );
}

interface FormProps {
  environment: Tagged<Models["CloudEnvironment"]> | undefined;
  onClose: () => void;
}

function Form({ environment, onClose }: FormProps) {
  const [config, setConfig] = useState<Config>(environment?.config ?? { name: "" });
  const set = (part: Partial<Config>) => setConfig({ ...config, ...part });
  const save = async () => {
    const body = { ...config };
    if (body.docker_image === "") delete body.docker_image;
    if (environment) await millrace.environments.update(environment.uid, body, {}, environment.etag);
    else await millrace.environments.create(body);
  };
  return (
    <ResourceForm
      title={environment ? `Edit ${environment.config.name}` : "Add environment"}
      name={config.name}
      save={save}
      listKey={environmentsQuery.queryKey}
      onClose={onClose}
    >
      <Field
        label="Name"
        autoFocus
        autoComplete="off"
        value={config.name}
        onChange={(name) => set({ name })}
      />
      <Field
        label="Description"
        value={config.description ?? ""}
        onChange={(description) => set({ description })}
      />
      <LinesField
        label="Repositories"
        hint="OWNER/REPO, one per line. They are cloned into the workspace of each run."
        lines={config.github_repos?.map(({ owner, repo }) => `${owner}/${repo}`) ?? []}
        onChange={(lines) => set({ github_repos: lines.map(repositoryOf) })}
      />
      <Field
        label="Image"
        isMono
        autoComplete="off"
        value={config.docker_image ?? ""}
        onChange={(docker_image) => set({ docker_image })}
        hint="Optional. The container image, for example node:20."
      />
      <LinesField
        label="Setup commands"
        hint="Commands that prepare the workspace, one per line, run in this order."
        lines={config.setup_commands ?? []}
        onChange={(setup_commands) => set({ setup_commands })}
      />
      <LinesField
        label="Secrets"
        hint="Names of the secrets that runs receive as environment variables, one per line."
        lines={config.secrets?.map(({ name }) => name) ?? []}
        onChange={(names) => set({ secrets: names.map((name) => ({ name })) })}
      />
    </ResourceForm>
  );
}

/** What is no such name is refused by the server, which says why. */
function repositoryOf(line: string): Models["GitHubRepo"] {
  const [owner = "", ...rest] = line.split("/");
  return { owner, repo: rest.join("/") };
}
