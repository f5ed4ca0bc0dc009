import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { millrace } from "../../api/client.ts";
import { readText, withBody, withItem, withValue } from "../../editor/definition-text.ts";
import type { Draft } from "../../editor/drafts.ts";
import type { Session } from "../../editor/editing.tsx";
import { PROMPT_HINT } from "../../editor/templates.ts";
import { TextEditor } from "../../editor/text-editor.tsx";
import { useKnownNames } from "../../editor/use-suggestions.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/forms/field.tsx";
import { Toggle } from "../../parts/forms/toggle.tsx";
import { Section } from "../../parts/page.tsx";
import styles from "./automation-form.module.css";
import { NEW_TRIGGER, TriggerForm } from "./trigger-form.tsx";

/** What this form knows; all else stays as it is, and is named. */
const KNOWN = ["enabled", "agent", "runner", "triggers"];

/** An automation as a form: the same document that the text shows. */
export function AutomationForm({ session, path }: { session: Session; path: string }) {
  const { drafts, factory } = session;
  const draft = drafts.files.find((each) => each.path === path);
  const text = draft?.content ?? "";
  const read = useMemo(() => readText(path, text), [path, text]);
  const { agents, runners } = useKnownNames(factory);
  const write = (content: string) => drafts.change(path, { content });
  if (!read) {
    return (
      <Section title="This automation cannot be shown as a form">
        <p>
          The front matter, between the two <code>---</code> lines, is not valid YAML. Fix it in the Text tab;
          the problems below show where.
        </p>
      </Section>
    );
  }
  const { data, body } = read;
  const set = (at: readonly (string | number)[], value: unknown) => write(withValue(path, text, at, value));
  const triggers = Array.isArray(data.triggers) ? data.triggers : [];
  const others = Object.keys(data).filter((key) => !KNOWN.includes(key));
  return (
    <>
      <Section title="About">
        <div className={styles.about}>
          <Toggle
            label="Enabled"
            isSelected={data.enabled !== false}
            onChange={(isOn) => set(["enabled"], isOn ? undefined : false)}
          />
          {isSwitchedOff(data, path, draft) && (
            <p className={styles.muted} role="status">
              <DisabledEffect factory={factory.name} path={path} content={text} />
            </p>
          )}
          <div className={styles.fields}>
            <NameChoice
              label="Agent"
              none="the foreman, or the server's default agent"
              names={agents}
              value={data.agent}
              onChange={(name) => set(["agent"], name)}
            />
            <NameChoice
              label="Runner"
              none="the agent's runner"
              names={runners}
              value={data.runner}
              onChange={(name) => set(["runner"], name)}
            />
          </div>
          {others.length > 0 && (
            <p className={styles.muted}>
              Also set (see the Text tab): <code>{others.join(", ")}</code>
            </p>
          )}
        </div>
      </Section>
      {triggers.map((trigger, place) => (
        <TriggerForm
          // biome-ignore lint/suspicious/noArrayIndexKey: triggers have nothing but their places
          key={place}
          factory={factory.name}
          trigger={trigger}
          place={place}
          onChange={(at, value) => set(["triggers", place, ...at], value)}
          {...(triggers.length > 1 ? { onRemove: () => set(["triggers", place], undefined) } : {})}
        />
      ))}
      <div>
        <Button onPress={() => write(withItem(path, text, ["triggers"], NEW_TRIGGER))}>Add trigger</Button>
      </div>
      <Section title="Prompt">
        <div className={styles.about}>
          <p className={styles.muted}>
            Instructions for the agent, in Markdown. The delivery body is attached as{" "}
            <code>event-payload.json</code>.
          </p>
          <TextEditor
            label="Prompt"
            language="markdown"
            value={body}
            placeholder={PROMPT_HINT}
            onChange={(next) => write(withBody(text, next))}
            onSave={session.save}
          />
        </div>
      </Section>
    </>
  );
}

/** Whether the automation was on until now. */
function isSwitchedOff(data: Record<string, unknown>, path: string, draft: Draft | undefined): boolean {
  if (data.enabled !== false || draft?.etag === undefined) return false;
  return readText(path, draft.base)?.data.enabled !== false;
}

interface NameChoiceProps {
  label: string;
  /** What it means when there is none. */
  none: string;
  names: readonly string[];
  value: unknown;
  onChange: (name: string | undefined) => void;
}

/** One of what there is, or what the file says although there is no such thing. */
function NameChoice({ label, none, names, value, onChange }: NameChoiceProps) {
  const now = typeof value === "string" ? value : "";
  const all = now === "" || names.includes(now) ? names : [...names, now];
  return (
    <Choice
      label={label}
      value={now}
      onChange={(name) => onChange(name === "" ? undefined : name)}
      options={[{ value: "", label: none }, ...all.map((name) => ({ value: name, label: name }))]}
    />
  );
}

interface DisabledEffectProps {
  factory: string;
  path: string;
  /** Of the file as it is while the automation is disabled in it. */
  content: string;
}

/** How many runs an automation stops starting when a file that disables it is saved. */
function DisabledEffect({ factory, path, content }: DisabledEffectProps) {
  const { data } = useQuery({
    queryKey: ["disabled-effect", factory, path],
    queryFn: () => millrace.factories.plan(factory, { changes: [{ path, content }] }),
    staleTime: 0,
    gcTime: 0,
  });
  const traffic = data?.traffic;
  if (!traffic) return null;
  const name = nameOf(path);
  const stopped = traffic.automations.find((each) => each.name === name)?.before ?? 0;
  return <>{textOf(stopped, traffic)}</>;
}

function textOf(stopped: number, { deliveries, since }: { deliveries: number; since: string }): string {
  const looked = `Of the ${deliveries} deliveries since ${since.slice(0, 10)},`;
  if (stopped === 0) return `${looked} none would have started a run of it.`;
  const days = Math.max(1, (Date.now() - Date.parse(since)) / 86_400_000);
  const daily = stopped < days ? "less than one" : `about ${Math.round(stopped / days)}`;
  return `${looked} ${stopped} would have started a run of it, ${daily} a day. It will not start any more.`;
}

/** The name of the automation that a file defines. */
function nameOf(path: string): string {
  return path.replace(/^automations\//, "").replace(/(\/automation)?\.md$/, "");
}
