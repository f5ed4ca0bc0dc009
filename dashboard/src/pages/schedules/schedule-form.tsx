import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { agentsQuery, environmentsQuery, schedulesQuery } from "../../api/queries.ts";
import type { Tagged } from "../../api/tagged.ts";
import { useMayForServer } from "../../frame/use-role.ts";
import { CronField } from "../../parts/forms/cron-field.tsx";
import { Edited } from "../../parts/forms/edited.tsx";
import { Choice, Field } from "../../parts/forms/field.tsx";
import { ResourceForm } from "../../parts/forms/resource-form.tsx";

type Schedule = Models["ScheduledAgentItem"];

const TIME_ZONES = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

interface ScheduleFormProps {
  /** Nothing for a new one. */
  schedule: Schedule | undefined;
  onClose: () => void;
}

/** Adds a schedule, or changes one; of how its agent is configured what the form does not know stays. */
export function ScheduleForm({ schedule, onClose }: ScheduleFormProps) {
  return (
    <Edited id={schedule?.id} read={(id) => millrace.schedules.get(id)}>
      {(current) => <Form schedule={current} onClose={onClose} />}
    </Edited>
  );
}

interface FormProps {
  schedule: Tagged<Schedule> | undefined;
  onClose: () => void;
}

function Form({ schedule, onClose }: FormProps) {
  const [name, setName] = useState(schedule?.name ?? "");
  const [cron, setCron] = useState(schedule?.cron_schedule ?? "@daily");
  const [timezone, setTimezone] = useState(schedule?.timezone ?? "UTC");
  const [prompt, setPrompt] = useState(schedule?.prompt ?? "");
  const [agent, setAgent] = useState("");
  const [environment, setEnvironment] = useState(schedule?.agent_config?.environment_id ?? "");
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: environments = [] } = useQuery({
    ...environmentsQuery,
    enabled: useMayForServer("viewer"),
  });
  const save = async () => {
    const agent_config = { ...schedule?.agent_config };
    if (environment === "") delete agent_config.environment_id;
    else agent_config.environment_id = environment;
    const hasConfig = Object.keys(agent_config).length > 0;
    const body = { name, cron_schedule: cron, timezone, prompt, ...(hasConfig ? { agent_config } : {}) };
    if (schedule) {
      const { id, enabled, etag } = schedule;
      await millrace.schedules.update(id, { ...body, enabled }, {}, etag);
    } else await millrace.schedules.create({ ...body, ...(agent === "" ? {} : { agent_uid: agent }) });
  };
  const hasSkill = Boolean(schedule?.agent_config?.skill_spec);
  return (
    <ResourceForm
      title={schedule ? `Edit ${schedule.name}` : "Add schedule"}
      name={name}
      isComplete={cron.trim() !== "" && (prompt.trim() !== "" || hasSkill)}
      save={save}
      listKey={schedulesQuery.queryKey}
      onClose={onClose}
    >
      <Field label="Name" autoFocus autoComplete="off" value={name} onChange={setName} />
      <CronField value={cron} onChange={setCron} />
      <Field
        label="Time zone"
        autoComplete="off"
        suggestions={TIME_ZONES}
        value={timezone}
        onChange={setTimezone}
        hint="For example Europe/Berlin."
      />
      <Field label="Prompt" rows={5} value={prompt} onChange={setPrompt} hint="Instructions for the agent." />
      {!schedule && (
        <Choice
          label="Agent"
          value={agent}
          onChange={setAgent}
          options={[
            { value: "", label: "the server's default agent" },
            ...agents.map((each) => ({ value: each.uid, label: each.name })),
          ]}
        />
      )}
      {(environments.length > 0 || environment !== "") && (
        <Choice
          label="Environment"
          value={environment}
          onChange={setEnvironment}
          options={environmentOptions(environments, environment)}
        />
      )}
    </ResourceForm>
  );
}

function environmentOptions(environments: readonly Models["CloudEnvironment"][], chosen: string) {
  const known = environments.map(({ uid, config }) => ({ value: uid, label: config.name }));
  const isKnown = chosen === "" || known.some(({ value }) => value === chosen);
  return [
    { value: "", label: "none: an empty workspace" },
    ...known,
    ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
  ];
}
