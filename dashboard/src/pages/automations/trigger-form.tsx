import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { webhooksQuery } from "../../api/queries.ts";
import type { DataPath } from "../../editor/definition-text.ts";
import { isObject } from "../../editor/filter-clauses.ts";
import { Button } from "../../parts/button.tsx";
import { Checklist } from "../../parts/checklist.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { CronField } from "../../parts/forms/cron-field.tsx";
import { Choice, Field } from "../../parts/forms/field.tsx";
import { Section } from "../../parts/page.tsx";
import styles from "./automation-form.module.css";
import { EventFields } from "./event-fields.tsx";
import { PayloadFilter } from "./payload-filter.tsx";

type Data = Readonly<Record<string, unknown>>;

export const NEW_TRIGGER = { provider: "webhook", event: "received" };
const NEW_SCHEDULE = { provider: "schedule", event: "cron_fired", schedule: { cron: "@daily" } };

/** The first thing that happens most often; another event is chosen below. */
const NEW_EVENTS: Readonly<Record<string, string>> = {
  github: "push",
  gitlab: "merge_request",
  slack: "app_mention",
  linear: "issue_created",
  jira: "issue_created",
  factory: "run_ended",
};

const KINDS = [
  { value: "webhook", label: "a delivery to a webhook" },
  { value: "schedule", label: "a schedule" },
  { value: "github", label: "an event of GitHub" },
  { value: "gitlab", label: "an event of GitLab" },
  { value: "slack", label: "an event of Slack" },
  { value: "linear", label: "an event of Linear" },
  { value: "jira", label: "an event of Jira" },
  { value: "factory", label: "an event of this factory" },
];

function newTrigger(kind: string): Data {
  const event = NEW_EVENTS[kind];
  if (event !== undefined) return { provider: kind, event };
  return kind === "schedule" ? NEW_SCHEDULE : NEW_TRIGGER;
}

interface TriggerFormProps {
  factory: string;
  trigger: unknown;
  /** From 0. */
  place: number;
  /** Another value at a place in the trigger; nothing takes it away. */
  onChange: (at: DataPath, value: unknown) => void;
  /** Nothing for the only one: an automation needs one. */
  onRemove?: () => void;
}

/** One trigger of an automation. Those of providers that the form does not know are shown, and changed as text. */
export function TriggerForm({ factory, trigger, place, onChange, onRemove }: TriggerFormProps) {
  const data: Data = isObject(trigger) ? trigger : {};
  const provider = String(data.provider ?? "");
  const isKnown = KINDS.some(({ value }) => value === provider);
  const kinds = isKnown ? KINDS : [...KINDS, { value: provider, label: `${provider} ${data.event ?? ""}` }];
  return (
    <Section
      title={place === 0 ? "Started by" : `Also started by (trigger ${place + 1})`}
      aside={
        onRemove && (
          <Button isSmall kind="quiet" onPress={onRemove} aria-label={`Remove trigger ${place + 1}`}>
            Remove
          </Button>
        )
      }
    >
      <div className={styles.about}>
        <Choice
          label="Trigger"
          value={provider}
          onChange={(kind) => onChange([], newTrigger(kind))}
          options={kinds}
        />
        {provider === "webhook" && <WebhookFields factory={factory} trigger={data} onChange={onChange} />}
        {Object.hasOwn(NEW_EVENTS, provider) && <EventFields trigger={data} onChange={onChange} />}
        {provider === "schedule" && <ScheduleFields trigger={data} onChange={onChange} />}
        {!isKnown && (
          <p className={styles.muted}>Edit this trigger in the Text tab, which completes keys and values.</p>
        )}
      </div>
    </Section>
  );
}

interface FieldsProps {
  trigger: Data;
  onChange: TriggerFormProps["onChange"];
}

function WebhookFields({ factory, trigger, onChange }: FieldsProps & { factory: string }) {
  const { data: webhooks = [] } = useQuery(webhooksQuery(factory));
  const live = webhooks.filter(({ status }) => status !== "deleted");
  const selected = selectedIn(trigger, live);
  const missing = selected.filter((name) => !live.some((webhook) => webhook.name === name));
  const options = [
    ...live.map(({ name }) => ({ value: name, label: name })),
    ...missing.map((name) => ({ value: name, label: `${name} (not found)` })),
  ];
  const select = (names: readonly string[]) => {
    const { byName, byUid } = selectionOf(names, trigger, live);
    if (byUid.isChanged) onChange(["filter", "webhook_ids"], byUid.value);
    else onChange(["millrace", "webhooks"], byName);
  };
  const { payload } = isObject(trigger.filter) ? trigger.filter : {};
  return (
    <>
      {options.length > 0 ? (
        <Checklist label="Webhooks" options={options} chosen={selected} onChange={select} />
      ) : (
        <p>
          No webhooks yet: <Link href={factoryPath(factory, "webhooks")}>add one</Link> first.
        </p>
      )}
      <h3>Payload filter</h3>
      <PayloadFilter
        factory={factory}
        webhooks={live.filter(({ name }) => selected.includes(name))}
        pattern={payload}
        onChange={(pattern) => onChange(["filter", "payload"], pattern)}
      />
    </>
  );
}

function ScheduleFields({ trigger, onChange }: FieldsProps) {
  const { cron, name } = isObject(trigger.schedule) ? trigger.schedule : {};
  return (
    <div className={styles.fields}>
      <CronField value={textOf(cron)} onChange={(value) => onChange(["schedule", "cron"], value)} />
      <Field
        label="Schedule name"
        value={textOf(name)}
        onChange={(value) => onChange(["schedule", "name"], value || undefined)}
        hint="Optional. Distinguishes this schedule from others."
      />
    </div>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

interface Known {
  uid: string;
  name: string;
}

/** As far as this file reads it. */
interface Written {
  millrace?: unknown;
  filter?: unknown;
}

/** The webhooks that a trigger selects, by name: it may list names, uids or both. A uid of none stands for itself. */
function selectedIn(trigger: Written, webhooks: readonly Known[]): string[] {
  const byUid = uidsIn(trigger).map((uid) => webhooks.find((webhook) => webhook.uid === uid)?.name ?? uid);
  return [...new Set([...namesIn(trigger), ...byUid])];
}

/**
 * What a trigger has to say to select webhooks of these names. What is listed by uid stays so; what is new is listed by name.
 * @returns the list of names; and that of uids, which only shrinks: nothing for one that is empty
 */
function selectionOf(names: readonly string[], trigger: Written, webhooks: readonly Known[]) {
  const uids = uidsIn(trigger);
  const nameOf = (uid: string) => webhooks.find((webhook) => webhook.uid === uid)?.name ?? uid;
  const kept = uids.filter((uid) => names.includes(nameOf(uid)));
  const named = names.filter(
    (name) => namesIn(trigger).includes(name) || !kept.some((uid) => nameOf(uid) === name),
  );
  return {
    byName: named.length > 0 ? named : undefined,
    byUid: { isChanged: kept.length < uids.length, value: kept.length > 0 ? kept : undefined },
  };
}

function namesIn({ millrace }: Written): string[] {
  return textsIn((millrace as { webhooks?: unknown } | null | undefined)?.webhooks);
}

function uidsIn({ filter }: Written): string[] {
  const listed = (filter as { webhook_ids?: unknown } | null | undefined)?.webhook_ids;
  return textsIn(Array.isArray(listed) ? listed : (listed as { in?: unknown } | null | undefined)?.in);
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
